import fc from 'fast-check';
import { createBot } from '#server/domain/support/agents/bots/bots.ts';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { QueueOutcome } from '#server/storage/tables/routing.ts';
import type { TicketSource } from '#server/storage/tables/tickets.ts';
import { enqueueAllProjections } from '#server/testing/app/enqueue-all-projections.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';

/** Agents 0 and 1 are people, 2 is a bot. */
const agent = fc.integer({ min: 0, max: 2 });
const person = fc.integer({ min: 0, max: 1 });
const tags = fc.uniqueArray(fc.constantFrom('sales', 'a’b%', 'gone'), { maxLength: 2 });
const groups = fc.uniqueArray(fc.constantFrom(0, 5, 7), { minLength: 1, maxLength: 2 });
const QUARTER_MS = 900_000;
/** At quarter-hour boundaries and between them. */
const moment = (days: number) =>
  fc.oneof(
    fc.integer({ min: 0, max: days * 96 }).map((n) => n * QUARTER_MS),
    fc.integer({ min: 0, max: days * 96 * QUARTER_MS }),
  );
const wait = fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 9_000_000 }));

const anyMessage = fc.record({
  by: fc.constantFrom<'customer' | 'system' | number>('customer', 'customer', 0, 0, 1, 2, 'system'),
  after: wait,
  type: fc.constantFrom('message', 'message', 'file', 'filled_form'),
  visibility: fc.constantFrom('all' as const, 'all' as const, 'agents' as const),
});

const DAYS = 4;
export const anyHistory = fc.record({
  threads: fc.array(
    fc.record({
      at: moment(DAYS),
      lasts: wait,
      active: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      groups,
      tags,
      score: fc.constantFrom(undefined, undefined, 0, 1),
      begun: fc.constantFrom('visitor', 'visitor', 'greeting', 'agent'),
      messages: fc.array(anyMessage, { maxLength: 8 }),
      watched: fc.uniqueArray(agent, { maxLength: 2 }),
      answered: fc.array(fc.record({ by: agent, after: wait, lasts: wait }), { maxLength: 2 }),
      queued: fc.option(
        fc.record({
          lasts: wait,
          outcome: fc.constantFrom<QueueOutcome | null>('assigned', 'assigned', 'left', 'closed', null),
        }),
      ),
    }),
    { maxLength: 24, size: 'max' },
  ),
  statuses: fc.array(
    fc.record({
      by: agent,
      at: moment(DAYS + 4).map((ms) => ms - 2 * 96 * QUARTER_MS),
      status: fc.constantFrom<AgentStatus>('accepting chats', 'accepting chats', 'not accepting chats', 'offline'),
    }),
    { maxLength: 14, size: 'max' },
  ),
  visits: fc.array(
    fc.record({
      group: fc.constantFrom(0, 5),
      shown: fc.uniqueArray(
        fc.record({ greeting: fc.constantFrom(1, 2), at: moment(DAYS), accepted: fc.option(wait) }),
        {
          selector: ({ greeting }) => greeting,
          maxLength: 2,
        },
      ),
      hits: fc.uniqueArray(
        fc.record({
          goal: fc.constantFrom(1, 2, 3),
          at: moment(DAYS),
          thread: fc.option(fc.nat(23)),
          sale: fc.option(
            fc.record({
              price: fc.constantFrom('10', '0.1', '0.2', undefined),
              currency: fc.constantFrom('EUR', 'usd', undefined),
            }),
          ),
        }),
        { selector: ({ goal }) => goal, maxLength: 3 },
      ),
    }),
    { maxLength: 8, size: 'max' },
  ),
  tickets: fc.array(
    fc.record({
      at: moment(DAYS),
      groups,
      tags,
      status: fc.constantFrom('open' as const, 'solved' as const, 'spam' as const),
      source: fc.constantFrom<TicketSource>('lc2', 'mail', 'chat-window', 'agent-app-manual'),
      assignee: fc.option(person),
      answered: fc.option(fc.record({ by: person, after: wait })),
      solved: fc.option(fc.record({ by: person, after: wait })),
      rated: fc.option(fc.record({ rating: fc.constantFrom('good' as const, 'bad' as const), after: wait })),
    }),
    { maxLength: 10, size: 'max' },
  ),
});
export type History = typeof anyHistory extends fc.Arbitrary<infer H> ? H : never;

export interface Shop {
  organization: TestOrganization;
  agentIds: string[];
}

/** Two people, a bot, three groups, two greetings and three goals. The first person is in group 5 too. */
export const openShop = async (test: TestApp): Promise<Shop> => {
  const organization = await buildOrganization(test, { online: false });
  const { scope, owner } = organization;
  for (const id of [5, 7]) await buildGroup(organization, id);
  const second = await buildAgent(organization, { groupIds: [5] });
  const bot = await createBot(scope, { name: 'Bot', groupIds: [5] });
  const createdAt = scope.now();
  await scope.insert('agentGroups', { agentId: owner.login, groupId: 7 }).execute();
  for (const id of [1, 2])
    await scope.insert('greetings', { id, groupId: 0, name: `Greeting ${id}`, rules: '[]', createdAt }).execute();
  for (const [id, type] of [
    [1, 'url'],
    [2, 'api'],
    [3, 'sales_tracker'],
  ] as const)
    await scope.insert('goals', { id, name: `Goal ${id}`, type, fields: '{}', createdAt }).execute();
  return { organization, agentIds: [owner.login, second.login, bot.id] };
};

const threadId = (n: number): string => `T${String(n).padStart(9, '0')}`;

const writeThread = async (
  { organization: { scope }, agentIds }: Shop,
  customerId: string,
  one: History['threads'][number],
  n: number,
  date: (ms: number) => Date,
): Promise<void> => {
  const id = threadId(n);
  const { at, active, groups: groupIds } = one;
  const end = at + one.lasts;
  const createdAt = date(at);
  const chat = {
    id,
    customerId,
    groupIds,
    active,
    lastThreadId: id,
    lastThreadCreatedAt: createdAt,
    lastEventAt: createdAt,
  };
  await scope.insert('chats', { ...chat, createdAt }).execute();
  const properties = {
    ...(one.score === undefined ? {} : { rating: { score: one.score } }),
    ...(one.begun === 'greeting' ? { lc2: { greeting_id: 1, greeting_unique_id: `V${n}-1` } } : {}),
  };
  await scope
    .insert('threads', {
      ...{ id, chatId: id, active, groupIds, tags: one.tags, properties: JSON.stringify(properties) },
      ...{ previousThreadId: null, nextThreadId: null, createdAt, closedAt: active ? null : date(end) },
    })
    .execute();
  let now = at;
  const events = one.messages.map(({ by, after, type, visibility }, m) => {
    now += after;
    const author = typeof by === 'number' ? agentIds[by]! : by === 'customer' ? customerId : null;
    const authorKind = typeof by === 'number' ? ('agent' as const) : by;
    const event = { threadId: id, chatId: id, number: m + 1, type, visibility, content: '{}', customId: null };
    return { ...event, authorKind, authorId: author, properties: '{}', createdAt: date(now) };
  });
  if (events.length > 0) await scope.insert('events', events).execute();
  const answers = one.begun === 'agent' ? [{ by: 0, after: 0, lasts: 60_000 }, ...one.answered] : one.answered;
  const repliedBy = one.messages.flatMap(({ by, visibility }) =>
    typeof by === 'number' && visibility === 'all' ? [by] : [],
  );
  const workers = [...new Set([...repliedBy, ...one.watched, ...answers.map(({ by }) => by)])];
  if (workers.length > 0)
    await scope
      .insert(
        'threadAgents',
        workers.map((by) => ({ threadId: id, agentId: agentIds[by]! })),
      )
      .execute();
  for (const [m, { by, after, lasts }] of answers.entries()) {
    const rule = one.begun === 'agent' && m === 0 ? 'started' : 'least_busy';
    const endedAt = active && lasts % 2 === 0 ? null : date(Math.min(at + after + lasts, Math.max(end, at + after)));
    await scope
      .insert('assignments', {
        ...{ chatId: id, threadId: id, agentId: agentIds[by]!, rule, candidates: '[]', groupIds },
        ...{ assignedAt: date(at + after), endedAt },
      })
      .execute();
  }
  if (one.queued) {
    const { outcome, lasts } = one.queued;
    const entry = { chatId: id, threadId: id, groupIds, priority: 0, enteredAt: createdAt };
    await scope.insert('queueEntries', { ...entry, outcome, leftAt: outcome ? date(at + lasts) : null }).execute();
  }
};

const writeVisit = async (
  { organization: { scope }, agentIds }: Shop,
  customerId: string,
  { group: groupId, shown, hits }: History['visits'][number],
  n: number,
  threads: number,
  date: (ms: number) => Date,
): Promise<void> => {
  const visitId = crypto.randomUUID();
  const startedAt = date(0);
  await scope
    .insert('visits', {
      ...{ id: visitId, customerId, number: n + 100, groupId, startedAt, lastSeenAt: startedAt, onlineUntil: null },
      ...{ referrer: null, userAgent: null, endedAt: startedAt },
    })
    .execute();
  let accepted = 0;
  for (const [m, one] of shown.entries()) {
    const isOpen = one.accepted === null;
    await scope
      .insert('greetingDisplays', {
        ...{ id: `V${n}-${m + 1}`, greetingId: one.greeting, visitId, customerId, groupId, agentId: agentIds[0]! },
        ...{ message: '', displayedAt: date(one.at), canceledAt: isOpen ? date(one.at) : null },
        // Displays must not have the same time; otherwise it is undefined which of them gets credit for a goal.
        acceptedAt: isOpen ? null : date(one.at + one.accepted! + accepted++),
      })
      .execute();
  }
  for (const { goal, at, thread, sale } of hits)
    await scope
      .insert('goalHits', {
        ...{
          visitId,
          goalId: goal,
          customerId,
          groupId,
          reachedAt: date(at),
          sale: sale ? JSON.stringify(sale) : null,
        },
        threadId: thread === null || thread >= threads ? null : threadId(thread),
      })
      .execute();
};

const writeTickets = async (
  { organization: { scope }, agentIds }: Shop,
  some: History['tickets'],
  date: (ms: number) => Date,
) => {
  for (const [n, one] of some.entries()) {
    const createdAt = date(one.at);
    await scope
      .insert('tickets', {
        ...{ id: `K${n}`, subject: 's', status: one.status, requesterMail: 'r@home.test', requesterName: 'R' },
        ...{ assigneeId: one.assignee === null ? null : agentIds[one.assignee]!, groupIds: one.groups, tags: one.tags },
        ...{ sourceType: one.source, createdAt, modifiedAt: createdAt },
        ...(one.answered
          ? { firstResponseAt: date(one.at + one.answered.after), firstResponseBy: agentIds[one.answered.by]! }
          : {}),
        ...(one.solved ? { solvedAt: date(one.at + one.solved.after), solvedBy: agentIds[one.solved.by]! } : {}),
        ...(one.rated ? { rating: one.rated.rating, ratedAt: date(one.at + one.rated.after) } : {}),
        mergedInto: n > 0 && one.at % 7 === 0 ? 'K0' : null,
      })
      .execute();
  }
};

/** Inserts a history directly into the tables. Its times are relative to `from`. */
export const writeHistory = async (shop: Shop, history: History, from: Date): Promise<void> => {
  const { scope } = shop.organization;
  const date = (ms: number) => new Date(from.getTime() + ms);
  const { id: customerId } = await buildCustomer(shop.organization);
  for (const [n, one] of history.threads.entries()) await writeThread(shop, customerId, one, n, date);
  for (const { by, at, status } of history.statuses)
    await scope
      .insert('agentStatusChanges', { agentId: shop.agentIds[by]!, status, reason: 'manual', changedAt: date(at) })
      .execute();
  for (const [n, one] of history.visits.entries())
    await writeVisit(shop, customerId, one, n, history.threads.length, date);
  await writeTickets(shop, history.tickets, date);
  await enqueueAllProjections(scope);
};
