import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { projections } from '#server/projections/index.ts';
import { checkProjection } from '#server/projections/maintain.ts';
import { enqueueAllProjections } from '#server/testing/app/enqueue-all-projections.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { toQueryString } from '#server/testing/http/examples.ts';
import { reader } from '../../testing/builders/archive.ts';
import {
  anyHistory,
  type History,
  openShop,
  type Shop,
  writeHistory,
} from '../../testing/builders/chat-ops-history.ts';
import { reportModels } from '../../testing/models/report.ts';
import { occupancyModel } from '../../testing/models/report-chats.ts';
import { loadRows, type ReportQuery, type Rows } from '../../testing/models/report-rows.ts';

const test = useTestApp();
beforeAll(async () => {
  // After all generated events.
  test.clock.advance(Date.parse('2026-12-01T00:00:00Z') - test.clock.now().getTime());
});

const zones = [
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
];
/** Clock changes in the middle of four days of generated data. */
const changes: [string, string][] = [
  ['Europe/Warsaw', '2026-03-29'],
  ['Europe/Warsaw', '2026-10-25'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Asia/Kolkata', '2026-10-31'],
  ['Asia/Kathmandu', '2026-10-31'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-18'],
];
const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 864e5).toISOString().slice(0, 10);

const anyQuestion = fc.record({
  path: fc.constantFrom(...Object.keys(reportModels)),
  zone: fc.constantFrom(...zones),
  from: fc.integer({ min: -1, max: 2 }),
  days: fc.constantFrom(0, 0, 1, 2),
  group_by: fc.constantFrom(undefined, undefined, 'hour' as const, 'day' as const, 'month' as const),
  group: fc.constantFrom(undefined, undefined, 0, 5, 9),
  agent: fc.constantFrom(undefined, undefined, 0, 1, 2),
  tag: fc.constantFrom(undefined, undefined, 'sales', 'a’b%'),
  goal: fc.constantFrom(undefined, undefined, 1, 3),
  greeting: fc.constantFrom(undefined, undefined, 1),
  sales_tracker: fc.constantFrom(undefined, 0 as const, 1 as const),
  currency: fc.constantFrom(undefined, undefined, 'usd'),
});
type Question = typeof anyQuestion extends fc.Arbitrary<infer Q> ? Q : never;

/** The query parameters of each report besides the dates. */
const takes: Record<string, string> = {
  'chats/total_chats': 'timezone group_by group agent tag',
  'chats/engagement': 'timezone group_by group agent tag',
  'chats/not_replied_chats': 'timezone group_by tag',
  'chats/ratings': 'timezone group_by group agent tag',
  'chats/ratings/ranking': 'group tag',
  'chats/queued_visitors': 'timezone group_by group',
  'chats/queued_visitors/waiting_times': 'timezone group_by group',
  availability: 'timezone group agent',
  'chats/chatting_time': 'group agent tag',
  'chats/first_response_time': 'group_by group agent tag',
  'chats/response_time': 'group_by group agent tag',
  'chats/goals': 'timezone group_by group agent tag goal sales_tracker currency',
  'chats/greetings': 'timezone group_by group tag goal greeting',
  'tickets/new_tickets': 'timezone group_by group tag',
  'tickets/first_response_time': 'timezone group_by group agent tag',
  'tickets/solved_tickets': 'timezone group_by group agent tag',
  'tickets/resolution_time': 'timezone group_by group agent tag',
  'tickets/ticket_sources': 'timezone group_by group tag',
  'tickets/ratings': 'timezone group_by group agent tag',
  'tickets/ratings/ranking': 'group tag',
};

const setZone = (shop: Shop, timezone: string) =>
  test.context.database.kysely
    .updateTable('organizations')
    .where('id', '=', shop.organization.id)
    .set({ timezone })
    .execute();

const compare = async (shop: Shop, rows: Rows, date: string, { path, zone, from, days, ...rest }: Question) => {
  const first = dayBefore(date, -from + 1);
  const dates = { date_from: first, date_to: dayBefore(first, -days) };
  const input = { ...rest, agent: rest.agent === undefined ? undefined : shop.agentIds[rest.agent], timezone: zone };
  const names = takes[path]!.split(' ');
  const taken = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && names.includes(name)),
  );
  if (!('timezone' in taken)) await setZone(shop, zone);
  const query: ReportQuery = { timezone: zone, ...dates, ...taken };
  const url = `/reports/${path}?${toQueryString({ ...dates, ...taken })}`;
  const { status, body } = await reader(test, shop.organization.owner)(url);
  expect([url, status]).toEqual([url, 200]);
  const expected = reportModels[path]!(rows, query, test.clock.now()) as object;
  expect(body, url).toEqual(expected);
  expect(Object.keys(body), url).toEqual(Object.keys(expected));
};

const plain = Object.fromEntries(
  ['group_by', 'group', 'agent', 'tag', 'goal', 'greeting', 'sales_tracker', 'currency'].map((name) => [
    name,
    undefined,
  ]),
) as Omit<Question, 'path' | 'zone' | 'from' | 'days'>;

/** Changes after a chat was counted. */
const happenLater = async ({ organization: { scope } }: Shop, at: Date): Promise<void> => {
  const left = { leftAt: at, outcome: 'left' as const };
  await scope.update('queueEntries').where('leftAt', 'is', null).set(left).execute();
  await scope.update('goalHits').where('goalId', '=', 2).set({ sale: '{"price": "3", "currency": "pln"}' }).execute();
  await scope
    .update('greetingDisplays')
    .where('greetingId', '=', 2)
    .set({ acceptedAt: at, canceledAt: null })
    .execute();
  const visits = await scope.from('visits').select(['id', 'customerId', 'groupId']).execute();
  for (const { id: visitId, customerId, groupId } of visits)
    await scope
      .insert('goalHits', { visitId, goalId: 1, customerId, groupId, threadId: null, sale: null, reachedAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const solved = scope.update('tickets').where('solvedAt', 'is not', null);
  await solved.where('rating', 'is', null).set({ solvedAt: null, solvedBy: null, status: 'open' }).execute();
  await solved.where('rating', 'is not', null).set({ rating: 'bad', solvedAt: at, ratedAt: at }).execute();
  await scope.update('tickets').where('id', '=', 'K1').set({ status: 'spam' }).execute();
  await scope.update('tickets').where('id', '=', 'K2').set({ mergedInto: 'K0' }).execute();
};

const arrange = async (history: History, date: string): Promise<{ shop: Shop; rows: Rows }> => {
  const shop = await openShop(test);
  await writeHistory(shop, history, new Date(Date.parse(date) - 2 * 864e5));
  return { shop, rows: await loadRows(shop.organization.scope) };
};

describe('reports', () => {
  it('match the reference model across clock changes in several time zones', async () => {
    const questions = fc.array(anyQuestion, { minLength: 25, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.constantFrom(...changes), questions, async (history, [, date], some) => {
        const { shop, rows } = await arrange(history, date);
        for (const question of some) await compare(shop, rows, date, question);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('match the reference model on every path and in every time zone on the day of a clock change', async () => {
    const eventful = anyHistory.filter(({ threads, visits }) => threads.length > 15 && visits.length > 4);
    const histories = fc.sample(eventful, { numRuns: changes.length, seed: 20 });
    for (const [n, [zone, date]] of changes.entries()) {
      const { shop, rows } = await arrange(histories[n]!, date);
      for (const path of Object.keys(reportModels)) {
        await compare(shop, rows, date, { path, zone, from: 1, days: 0, ...plain });
        await compare(shop, rows, date, { path, zone, from: 0, days: 2, ...plain });
      }
    }
  });

  it('match the reference model after changes to counted data', async () => {
    const eventful = anyHistory.filter(({ visits, tickets }) => visits.length > 4 && tickets.length > 4);
    const date = '2026-10-25';
    for (const history of fc.sample(eventful, { numRuns: 4, seed: 21 })) {
      const { shop } = await arrange(history, date);
      const questions = Object.keys(reportModels).map((path) => ({
        path,
        zone: 'Asia/Kolkata',
        from: 0,
        days: 2 as const,
        ...plain,
      }));
      for (const question of questions) await compare(shop, await loadRows(shop.organization.scope), date, question);
      await happenLater(shop, new Date(`${date}T13:05:00Z`));
      for (const question of questions) await compare(shop, await loadRows(shop.organization.scope), date, question);
    }
  });

  it('return the maximum number of simultaneous chats on the last four such weekdays', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.constantFrom(...zones), async (history, zone) => {
        const { shop, rows } = await arrange(history, '2026-11-22');
        await setZone(shop, zone);
        const read = reader(test, shop.organization.owner);
        const { body } = await read('/reports/chats/agents_occupancy?weekday=sun');
        const days = ['2026-11-08', '2026-11-15', '2026-11-22', '2026-11-29'];
        expect(body).toEqual(occupancyModel(rows, zone, days));
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});

describe('stored report data', () => {
  it('equals a rebuild, also after changes in between', async () => {
    const retags = fc.array(
      fc.record({ thread: fc.nat(13), tags: fc.constantFrom<string[]>(['sales'], [], ['gone', 'x']) }),
    );
    await fc.assert(
      fc.asyncProperty(anyHistory, retags, async (history, some) => {
        const { shop } = await arrange(history, '2026-10-25');
        const { scope, owner } = shop.organization;
        const read = reader(test, owner);
        for (const { thread, tags } of [{ thread: 99, tags: [] }, ...some]) {
          const properties = JSON.stringify({ rating: { score: tags.length % 2 } });
          await scope
            .update('threads')
            .where('id', '=', `T${String(thread).padStart(9, '0')}`)
            .set({ tags, properties })
            .execute();
          await enqueueAllProjections(scope);
          await read('/reports/chats/total_chats');
        }
        const ended = history.threads.filter(({ active }) => !active);
        expect(await scope.from('chatFacts').select('threadId').execute()).toHaveLength(ended.length);
        expect(await checkProjection(test.context.database, projections.report_facts, scope.organizationId)).toEqual(
          [],
        );
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });

  it('has the same availability regardless of how often it was read in between', async () => {
    const shop = await openShop(test);
    const { scope, owner } = shop.organization;
    const read = reader(test, owner);
    const statuses = ['accepting chats', 'offline', 'accepting chats', 'not accepting chats'] as const;
    const query = async () => (await read('/reports/availability?date_from=2026-11-30')).body;
    for (let step = 0; step < 24; step++) {
      const [agentId, status] = [shop.agentIds[step % 2]!, statuses[(step >> 1) % 4]!];
      await scope.insert('agentStatusChanges', { agentId, status, reason: 'manual', changedAt: scope.now() }).execute();
      test.clock.advance(5 * 3600_000 + step * 60_000);
      await query();
    }
    const before = await query();
    expect(Object.values<{ hours: number }>(before).filter(({ hours }) => hours > 0).length).toBeGreaterThan(4);
    for (const table of ['availabilitySpans', 'availabilityMaterialized'] as const) await scope.remove(table).execute();
    expect(await query()).toEqual(before);
    const everybody = { timezone: 'UTC', date_from: '2026-11-30', date_to: scope.now().toISOString().slice(0, 10) };
    expect(before).toEqual(reportModels.availability!(await loadRows(scope), everybody, scope.now()));
  });

  it('has the same number of simultaneous chats regardless of how often and how concurrently it was read in between', async () => {
    const eventful = anyHistory.filter(({ threads }) => threads.length > 5);
    const date = test.clock.now().toISOString().slice(0, 10);
    const { shop } = await arrange(fc.sample(eventful, { numRuns: 1, seed: 22 })[0]!, date);
    const { scope, owner } = shop.organization;
    await setZone(shop, 'Asia/Kathmandu');
    const read = reader(test, owner);
    const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const query = async () => {
      const weekday = weekdays[scope.now().getUTCDay()];
      const ask = () => read(`/reports/chats/agents_occupancy?weekday=${weekday}`);
      const [first, ...others] = await Promise.all([ask(), ask(), ask()]);
      for (const { body } of others) expect(body).toEqual(first.body);
      return first.body as Record<string, number>;
    };
    const agree = async () => {
      const body = await query();
      const days = [...new Set(Object.keys(body).map((key) => key.slice(0, 10)))];
      expect(body).toEqual(occupancyModel(await loadRows(scope), 'Asia/Kathmandu', days));
      return body;
    };
    const { id: chatId } = await scope.from('chats').select('id').executeTakeFirstOrThrow();
    const answer = { chatId, threadId: chatId, rule: 'least_busy' as const, candidates: '[]', groupIds: [0] };
    for (let step = 0; step < 30; step++) {
      const [agentId, assignedAt] = [shop.agentIds[step % 3]!, scope.now()];
      await scope.insert('assignments', { ...answer, agentId, assignedAt, endedAt: null }).execute();
      test.clock.advance((step % 4) * 17 * 60_000 + 1_000);
      await agree();
      const open = scope.update('assignments').where('endedAt', 'is', null);
      if (step % 5 === 4) await open.set({ endedAt: scope.now() }).execute();
      test.clock.advance(step * 9 * 60_000);
    }
    const before = await agree();
    expect(Math.max(...Object.values(before))).toBeGreaterThan(2);
    for (const table of ['occupancyQuarters', 'occupancyMaterialized'] as const) await scope.remove(table).execute();
    expect(await agree()).toEqual(before);
  });
});
