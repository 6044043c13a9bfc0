import { describe, expect, it } from 'vitest';
import { message } from '../customer/call.ts';
import { expectError, type Json, newShop } from './index.ts';
import { target } from './target.ts';

const shop = await newShop(target);
const { owner } = shop;
const alma = await shop.addAgent('Alma');
const goal = await owner.ok('POST', '/goals', { name: 'Bought', type: 'api' });
await owner.ok('PUT', `/agents/${alma.login}`, { status: 'accepting chats' });

/** Today has one chat that Alma answered, rated good, tagged and with a sale, and one ticket that she solved. */
const createDay = async () => {
  const visitor = await shop.customer();
  const { chat_id, thread_id } = await visitor.ok('start_chat', {
    chat: { thread: { events: [message('Hello?')] } },
  });
  await alma.v35.ok('send_event', { chat_id, event: message('Hello!') });
  await owner.ok('POST', `/goals/${goal.id}/mark_as_successful`, {
    ...{ visitor_id: visitor.id, order_id: 'A1', order_price: '9.50', order_currency: 'EUR' },
  });
  await visitor.ok('deactivate_chat', { id: chat_id });
  const properties = { rating: { score: 1 } };
  await visitor.ok('update_thread_properties', { chat_id, thread_id, properties });
  await owner.ok('PUT', `/chats/${thread_id}/tags`, { tag: ['sale'] });
  const { id } = await owner.ok('POST', '/tickets', { message: 'x', requester: { mail: 'a@far.test' } });
  await alma.v35.ok('assign_ticket', { ticket_id: id, assignee_id: alma.login });
  await alma.v35.ok('reply_to_ticket', { ticket_id: id, message: 'y' });
  await alma.v35.ok('update_ticket', { ticket_id: id, status: 'solved' });
  return owner.ok('GET', `/chats/${thread_id}?timezone=UTC`);
};
const { started_timestamp } = await createDay();
const today = new Date(started_timestamp * 1000).toISOString().slice(0, 10);

const count = expect.any(Number);
const waits = { count, min: { seconds: null }, max: { seconds: null }, average: { seconds: null } };
const begun = { begin: today, end: today };

const filters = ['group', 'agent', 'tag'] as const;
type Argument = (typeof filters)[number] | 'timezone' | 'group_by';

interface Report {
  path: string;
  takes: Argument[];
  /** The bucket of a day with the activity above. */
  full: Json;
}

const all: Argument[] = ['timezone', 'group', 'agent', 'group_by', 'tag'];
const without = (...left: Argument[]): Argument[] => all.filter((one) => !left.includes(one));

const reports: Report[] = [
  { path: 'chats/total_chats', takes: all, full: { chats: 1 } },
  {
    path: 'chats/engagement',
    takes: all,
    full: { chats_from_auto_invite: 0, chats_from_immediate_start: 1, chats_from_manual_invite: 0 },
  },
  { path: 'chats/ratings', takes: all, full: { ...begun, bad: 0, good: 1, chats: 1 } },
  {
    path: 'chats/queued_visitors',
    takes: without('agent', 'tag'),
    full: { queued: { count: 0 }, left_queue: { count: 0 }, entered_chat: { count: 0 } },
  },
  {
    path: 'chats/queued_visitors/waiting_times',
    takes: without('agent', 'tag'),
    full: { queued: waits, left_queue: waits, entered_chat: waits },
  },
  { path: 'availability', takes: ['timezone', 'group', 'agent'], full: { hours: count } },
  { path: 'chats/chatting_time', takes: filters.slice(), full: { hours: count } },
  {
    path: 'chats/first_response_time',
    takes: without('timezone'),
    full: { first_response_time: { count: 1, seconds: count } },
  },
  {
    path: 'chats/response_time',
    takes: without('timezone'),
    full: { avg_response_time: { count: 1, seconds: count } },
  },
  {
    path: 'chats/goals',
    takes: all,
    full: { ...begun, goals: 1, value: { EUR: { sales_count: 1, value: 9.5 } } },
  },
  { path: 'chats/greetings', takes: without('agent'), full: { ...begun, displayed: 0, accepted: 0, goals: 0 } },
  { path: 'tickets/new_tickets', takes: without('agent'), full: { new_tickets: 1 } },
  { path: 'tickets/first_response_time', takes: all, full: { count: 1, hours: count } },
  { path: 'tickets/solved_tickets', takes: all, full: { solved_tickets: 1 } },
  { path: 'tickets/resolution_time', takes: all, full: { count: 1, hours: count } },
  {
    path: 'tickets/ticket_sources',
    takes: without('agent'),
    full: { tickets_from_chat_window: 0, tickets_from_mail: 0, tickets_from_chat: 1 },
  },
  { path: 'tickets/ratings', takes: all, full: { ...begun, bad: 0, good: 0 } },
];

const examples: Record<Argument, string> = {
  ...{ timezone: 'timezone=UTC', group: 'group=0', agent: `agent=${alma.login}` },
  ...{ group_by: 'group_by=day', tag: 'tag[]=no%20such%20tag' },
};

/** The same bucket with zeros. */
const emptied = (value: Json): Json => {
  if (typeof value === 'number' || value === count) return 0;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, emptied(one)]));
};

describe.each(reports.map((one) => [`GET /reports/${one.path}`, one] as const))('%s', (_, { path, takes, full }) => {
  const zone = takes.includes('timezone') ? '&timezone=UTC' : '';
  const read = (query: string): Promise<Json> => owner.ok('GET', `/reports/${path}?${query}`);
  const days = `date_from=${new Date(Date.parse(today) - 2 * 86_400_000).toISOString().slice(0, 10)}&date_to=${today}`;

  it('groups several days by day', async () => {
    const buckets = await read(`${days}${zone}`);
    const keys = [2, 1, 0].map((ago) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10));
    expect(Object.keys(buckets)).toEqual(keys);
    expect(buckets[today]).toEqual(full);
    for (const key of keys) expect(Object.keys(buckets[key]).toSorted()).toEqual(Object.keys(full).toSorted());
  });

  it('groups one day by hour', async () => {
    const buckets = await read(`date_from=${today}&date_to=${today}${zone}`);
    const hours = Array.from({ length: 24 }, (_none, hour) => `${String(hour).padStart(2, '0')}:00`);
    expect(Object.keys(buckets)).toEqual(hours);
    for (const hour of hours) expect(Object.keys(buckets[hour])).toEqual(expect.arrayContaining(Object.keys(full)));
    if (path === 'chats/total_chats') {
      const started = new Date(started_timestamp * 1000).toISOString().slice(11, 13);
      expect(buckets[`${started}:00`]).toEqual({ chats: 1 });
    }
  });

  if (takes.includes('group_by'))
    it('groups by month, day or hour on request', async () => {
      const months = await read(`date_from=2025-11-20&date_to=${today}&group_by=month${zone}`);
      for (const key of Object.keys(months)) expect(key).toMatch(/^\d{4}-\d\d$/);
      expect(Object.keys(months).at(0)).toBe('2025-11');
      expect(Object.keys(months).at(-1)).toBe(today.slice(0, 7));
      expect(Object.keys(await read(`date_from=${today}&date_to=${today}&group_by=day${zone}`))).toEqual([today]);
      expectError(await owner.sendRequest('GET', `/reports/${path}?group_by=week`), 400);
    });

  it(`accepts ${takes.join(', ')}`, async () => {
    for (const argument of takes) expect(await read(examples[argument])).toEqual(expect.any(Object));
    if (!takes.includes('tag')) return;
    const narrowed = (await read(`${days}${zone}&tag=nothing`))[today];
    const nothing = emptied({
      ...full,
      ...(full.begin ? { begin: 0, end: 0 } : {}),
      ...(full.value ? { value: {} } : {}),
    });
    const shown = { ...narrowed, ...(full.begin ? { begin: 0, end: 0 } : {}) };
    expect(JSON.parse(JSON.stringify(shown).replaceAll('null', '0'))).toEqual(nothing);
  });

  it('has default dates', async () => {
    const buckets = await read('');
    expect(Object.keys(buckets)).toContain(today);
  });
});

describe('other reports', () => {
  it.each(['chats', 'tickets'])('GET /reports/%s/ratings/ranking ranks agents by ratings', async (kind) => {
    const { ranking } = await owner.ok(
      'GET',
      `/reports/${kind}/ratings/ranking?date_from=${today}&date_to=${today}&group=0`,
    );
    if (kind === 'chats') expect(ranking).toEqual([{ good: 1, bad: 0, total: 1, score: 1, name: alma.login }]);
    else expect(ranking).toEqual([]);
    expect(await owner.ok('GET', `/reports/${kind}/ratings/ranking?tag=nothing`)).toEqual({ ranking: [] });
  });

  it('GET /reports/chats/agents_occupancy returns occupied time', async () => {
    const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const wanted = weekdays[new Date(today).getUTCDay()]!;
    for (const weekday of weekdays) {
      const hours = await owner.ok('GET', `/reports/chats/agents_occupancy?weekday=${weekday}`);
      for (const [key, value] of Object.entries(hours)) {
        expect(key).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
        expect(weekdays[new Date(key.slice(0, 10)).getUTCDay()]).toBe(weekday);
        expect(Number.isInteger(value)).toBe(true);
      }
      if (weekday === wanted) expect(Object.values(hours)).toContain(1);
    }
    expectError(await owner.sendRequest('GET', '/reports/chats/agents_occupancy'), 400);
    expectError(await owner.sendRequest('GET', '/reports/chats/agents_occupancy?weekday=monday'), 400);
  });

  it('goal reports filter by sale, goal and currency, greeting reports by greeting', async () => {
    const day = `date_from=${today}&date_to=${today}&group_by=day&timezone=UTC`;
    const read = async (query: string) => (await owner.ok('GET', `/reports/chats/goals?${day}&${query}`))[today];
    expect(await read('sales_tracker=1')).toMatchObject({ goals: 1, value: { EUR: { sales_count: 1, value: 9.5 } } });
    expect(await read(`goal=${goal.id}`)).toMatchObject({ goals: 1 });
    expect(await read('goal=4711')).toMatchObject({ goals: 0 });
    expect((await read('currency=EUR')).value).toEqual({ EUR: { sales_count: 1, value: 9.5 } });
    expect(await owner.ok('GET', `/reports/chats/greetings?${day}&greeting=1&goal=${goal.id}`)).toMatchObject({
      [today]: { displayed: 0 },
    });
  });

  it('days are in the requested time zone, without the hour skipped by daylight saving time', async () => {
    const hoursOf = async (day: string, timezone: string): Promise<string[]> =>
      Object.keys(
        await owner.ok('GET', `/reports/chats/total_chats?date_from=${day}&date_to=${day}&timezone=${timezone}`),
      );
    expect(await hoursOf('2026-03-29', 'Europe/Warsaw')).toHaveLength(23);
    expect(await hoursOf('2026-03-29', 'Europe/Warsaw')).not.toContain('02:00');
    expect(await hoursOf('2026-03-29', 'Asia/Kolkata')).toHaveLength(24);
    for (const timezone of ['Pacific/Auckland', 'Asia/Kolkata', 'America/St_Johns']) {
      const local = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(started_timestamp * 1000);
      const query = `date_from=${local}&date_to=${local}&group_by=day&timezone=${timezone}`;
      expect(await owner.ok('GET', `/reports/chats/total_chats?${query}`)).toEqual({ [local]: { chats: 1 } });
    }
  });
});
