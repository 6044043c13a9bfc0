import type { OrganizationScope } from '#server/domain/scope.ts';
import { type WallTime, wallClock } from '#server/domain/time-zones.ts';

/** Reports the slow way: every row is looked at, and its bucket is what the clocks showed. */
export const loadRows = async (scope: OrganizationScope) => ({
  threads: await scope.from('threads').selectAll().execute(),
  events: await scope.from('events').orderBy('number').selectAll().execute(),
  threadAgents: await scope.from('threadAgents').selectAll().execute(),
  assignments: await scope.from('assignments').selectAll().execute(),
  stays: await scope.from('queueStays').selectAll().execute(),
  changes: await scope.from('agentStatusChanges').orderBy('changedAt').orderBy('id').selectAll().execute(),
  agents: await scope.from('agents').selectAll().execute(),
  memberships: await scope.from('agentGroups').selectAll().execute(),
  displays: await scope.from('greetingDisplays').selectAll().execute(),
  hits: await scope.from('goalHits').selectAll().execute(),
  goals: await scope.from('goals').selectAll().execute(),
  tickets: await scope.from('tickets').selectAll().execute(),
});
export type Rows = Awaited<ReturnType<typeof loadRows>>;

export interface Asked {
  timezone: string;
  date_from: string;
  date_to: string;
  group_by?: 'hour' | 'day' | 'month' | undefined;
  group?: number | undefined;
  agent?: string | undefined;
  tag?: string | undefined;
  goal?: number | undefined;
  greeting?: number | undefined;
  sales_tracker?: 0 | 1 | undefined;
  currency?: string | undefined;
}

const QUARTER_MS = 900_000;
const DAY_MS = 96 * QUARTER_MS;
const round = (value: number): number => Math.round(value * 100) / 100;
/** Of milliseconds, in a larger unit. */
const average = (values: number[], unit: number): number | null =>
  values.length === 0 ? null : round(values.reduce((sum, one) => sum + one, 0) / values.length / unit);
const ms = (date: Date): number => date.getTime();

export interface Model {
  keyOf(at: Date): string | undefined;
  keys: string[];
  rangeOf(key: string): { begin: string; end: string };
}

/** Which keys there are is found by looking at the clocks every quarter of an hour. */
export const openModel = ({ timezone, date_from, date_to, group_by }: Asked): Model => {
  const clock = wallClock(timezone);
  const by = group_by ?? (date_from === date_to ? 'hour' : 'day');
  const nameOf = ({ date, time }: WallTime): string | undefined => {
    if (date < date_from || date > date_to) return undefined;
    const hour = `${time.slice(0, 2)}:00`;
    return { hour: date_from === date_to ? hour : `${date} ${hour}`, day: date, month: date.slice(0, 7) }[by];
  };
  const keyOf = (at: Date) => nameOf(clock(at));
  const days = new Map<string, Set<string>>();
  for (let at = Date.parse(date_from) - 2 * DAY_MS; at < Date.parse(date_to) + 3 * DAY_MS; at += QUARTER_MS) {
    const shown = clock(new Date(at));
    const key = nameOf(shown);
    if (key !== undefined) days.set(key, (days.get(key) ?? new Set()).add(shown.date));
  }
  const rangeOf = (key: string) => {
    const sorted = [...days.get(key)!].sort();
    return { begin: sorted[0]!, end: sorted.at(-1)! };
  };
  return { keyOf, keys: [...days.keys()], rangeOf };
};

const byKey = <T, R>(model: Model, rows: T[], at: (row: T) => Date | null, present: (rows: T[], key: string) => R) => {
  const found = Map.groupBy(rows, (row) => (at(row) === null ? undefined : model.keyOf(at(row)!)));
  return Object.fromEntries(model.keys.map((key) => [key, present(found.get(key) ?? [], key)]));
};

/** What happened in one thread. */
export const readThread = (rows: Rows, thread: Rows['threads'][number]) => {
  const people = rows.agents.filter(({ kind }) => kind === 'person').map(({ id }) => id);
  const words = rows.events.filter(
    (event) =>
      event.threadId === thread.id &&
      event.visibility === 'all' &&
      ['message', 'file', 'rich_message'].includes(event.type) &&
      event.createdAt <= thread.closedAt! &&
      (event.authorKind === 'customer' || people.includes(event.authorId!)),
  );
  const responses: { by: string; took: number }[] = [];
  let asked: Date | undefined;
  for (const { authorKind, authorId, createdAt } of words) {
    if (authorKind === 'customer') asked ??= createdAt;
    else if (asked) {
      responses.push({ by: authorId!, took: ms(createdAt) - ms(asked) });
      asked = undefined;
    }
  }
  const own = rows.assignments.filter(({ threadId }) => threadId === thread.id);
  const chatting = own
    .filter(({ agentId }) => people.includes(agentId))
    .map(({ agentId, assignedAt, endedAt }) => {
      const end = Math.min(endedAt ? ms(endedAt) : Number.POSITIVE_INFINITY, ms(thread.closedAt!));
      return { by: agentId, took: Math.max(0, end - ms(assignedAt)) };
    });
  const { score } = thread.properties.rating ?? {};
  return {
    thread,
    responses,
    chatting,
    agents: rows.threadAgents.filter(({ threadId }) => threadId === thread.id).map(({ agentId }) => agentId),
    replied: words.some(({ authorKind }) => authorKind === 'agent'),
    rating: score === 1 ? 'good' : score === 0 ? 'bad' : undefined,
    greeting: thread.properties.lc2?.greeting_unique_id,
    begun: thread.properties.lc2?.greeting_unique_id
      ? 'auto'
      : own.some(({ rule }) => rule === 'started')
        ? 'manual'
        : 'immediate',
  };
};

const chatsOf = (rows: Rows, { group, agent, tag }: Asked) =>
  rows.threads
    .filter(({ active }) => !active)
    .map((thread) => readThread(rows, thread))
    .filter(({ thread }) => group === undefined || thread.groupIds.includes(group))
    .filter(({ thread }) => tag === undefined || thread.tags.includes(tag))
    .filter(({ agents }) => agent === undefined || agents.includes(agent));

const countIf = <T>(rows: T[], holds: (row: T) => boolean): number => rows.filter(holds).length;

const waits = (stays: Rows['stays']) => {
  const times = stays.map(({ enteredAt, leftAt }) => ms(leftAt!) - ms(enteredAt));
  const some = (value: number) => ({ seconds: times.length === 0 ? null : round(value / 1000) });
  return {
    count: stays.length,
    min: some(Math.min(...times)),
    max: some(Math.max(...times)),
    average: { seconds: average(times, 1000) },
  };
};

const isAccepting = (rows: Rows, agentId: string, at: number): boolean =>
  rows.changes.findLast((change) => change.agentId === agentId && ms(change.changedAt) <= at)?.status ===
  'accepting chats';

const availability = (rows: Rows, model: Model, { group, agent }: Asked, now: Date) => {
  const who = rows.agents
    .filter(({ kind, id }) => kind === 'person' && (agent === undefined || id === agent))
    .filter(({ id }) => !group || rows.memberships.some(({ agentId, groupId }) => agentId === id && groupId === group));
  const sums = new Map(model.keys.map((key) => [key, 0]));
  const times = new Set(rows.changes.map(({ changedAt }) => ms(changedAt)).filter((at) => at < ms(now)));
  if (times.size > 0) {
    const first = Math.floor(Math.min(...times) / QUARTER_MS) * QUARTER_MS;
    for (let at = first; at < first + 12 * DAY_MS; at += QUARTER_MS) times.add(at);
  }
  const sorted = [...times].sort((a, b) => a - b);
  for (const [n, at] of sorted.slice(0, -1).entries()) {
    const key = model.keyOf(new Date(at));
    if (key === undefined || !who.some(({ id }) => isAccepting(rows, id, at))) continue;
    sums.set(key, sums.get(key)! + sorted[n + 1]! - at);
  }
  const byHour = model.keys[0]!.length === 5;
  return Object.fromEntries(
    [...sums].map(([key, sum]) => [
      key,
      { hours: round(sum / 3_600_000), ...(byHour ? { minutes: round(sum / 60_000) } : {}) },
    ]),
  );
};

const ratedAgent = ({ assigneeId, solvedBy, firstResponseBy }: Rows['tickets'][number]) =>
  assigneeId ?? solvedBy ?? firstResponseBy;

const ticketsOf = (rows: Rows, { group, tag }: Asked) =>
  rows.tickets
    .filter(({ status, mergedInto }) => status !== 'spam' && mergedInto === null)
    .filter(({ groupIds }) => group === undefined || groupIds.includes(group))
    .filter(({ tags }) => tag === undefined || tags.includes(tag));

const hours = (some: Rows['tickets'], at: (ticket: Rows['tickets'][number]) => Date) => ({
  count: some.length,
  hours: average(
    some.map((ticket) => ms(at(ticket)) - ms(ticket.createdAt)),
    3_600_000,
  ),
});

const rank = (ratings: { by: string | null; rating: string | null | undefined }[]) => {
  const names = [...new Set(ratings.flatMap(({ by, rating }) => (by && rating ? [by] : [])))];
  return names
    .map((name) => {
      const good = countIf(ratings, (one) => one.by === name && one.rating === 'good');
      const bad = countIf(ratings, (one) => one.by === name && one.rating === 'bad');
      return { good, bad, total: good + bad, score: good / (good + bad), name };
    })
    .sort((a, b) => b.score - a.score || b.total - a.total || (a.name < b.name ? -1 : 1));
};

const goals = (asked: Asked, some: Rows['hits']) => {
  const value: Record<string, { sales_count: number; value: number }> = {};
  if (asked.currency) value[asked.currency.toUpperCase()] = { sales_count: 0, value: 0 };
  for (const { sale } of some) {
    const currency = sale?.currency?.toUpperCase() ?? '';
    if (!sale || (asked.currency && currency !== asked.currency.toUpperCase())) continue;
    value[currency] ??= { sales_count: 0, value: 0 };
    value[currency].sales_count += 1;
    value[currency].value = Math.round((value[currency].value + Number(sale.price ?? 0)) * 1e9) / 1e9;
  }
  return { goals: some.length, value };
};

const hitsOf = (rows: Rows, { group, agent, tag, goal, sales_tracker }: Asked) =>
  rows.hits.filter((hit) => {
    const { type } = rows.goals.find(({ id }) => id === hit.goalId)!;
    const thread = rows.threads.find(({ id }) => id === hit.threadId);
    const workers = rows.threadAgents.filter(({ threadId }) => threadId === hit.threadId).map(({ agentId }) => agentId);
    return (
      (sales_tracker === 1 ? type === 'sales_tracker' || hit.sale !== null : type !== 'sales_tracker') &&
      (group === undefined || hit.groupId === group) &&
      (goal === undefined || hit.goalId === goal) &&
      (tag === undefined || thread?.tags.includes(tag) === true) &&
      (agent === undefined || workers.includes(agent))
    );
  });

const creditOf = (rows: Rows, { visitId, reachedAt }: Rows['hits'][number]) =>
  rows.displays
    .filter((display) => display.visitId === visitId && display.acceptedAt !== null && display.acceptedAt <= reachedAt)
    .sort((a, b) => ms(a.acceptedAt!) - ms(b.acceptedAt!) || (a.id < b.id ? -1 : 1))
    .at(-1)?.id;

const greetings = (rows: Rows, model: Model, { group, tag, goal, greeting }: Asked) => {
  const tagged = rows.threads
    .filter(({ active, tags }) => !active && (tag === undefined || tags.includes(tag)))
    .map(({ properties }) => properties.lc2?.greeting_unique_id);
  const displays = rows.displays.filter(
    ({ id, groupId, greetingId }) =>
      (group === undefined || groupId === group) &&
      (greeting === undefined || greetingId === greeting) &&
      (tag === undefined || tagged.includes(id)),
  );
  return byKey(
    model,
    displays,
    ({ displayedAt }) => displayedAt,
    (some, key) => ({
      ...model.rangeOf(key),
      displayed: some.length,
      accepted: countIf(some, ({ acceptedAt }) => acceptedAt !== null),
      goals: countIf(
        rows.hits,
        (hit) => (goal === undefined || hit.goalId === goal) && some.some(({ id }) => id === creditOf(rows, hit)),
      ),
    }),
  );
};

/** Every report by its path, as it should be answered. */
export const reportModels: Record<string, (rows: Rows, asked: Asked, now: Date) => unknown> = {
  'chats/total_chats': (rows, asked) =>
    byKey(
      openModel(asked),
      chatsOf(rows, asked),
      (one) => one.thread.createdAt,
      (some) => ({ chats: some.length }),
    ),
  'chats/engagement': (rows, asked) =>
    byKey(
      openModel(asked),
      chatsOf(rows, asked),
      (one) => one.thread.createdAt,
      (some) => ({
        chats_from_auto_invite: countIf(some, ({ begun }) => begun === 'auto'),
        chats_from_immediate_start: countIf(some, ({ begun }) => begun === 'immediate'),
        chats_from_manual_invite: countIf(some, ({ begun }) => begun === 'manual'),
      }),
    ),
  'chats/not_replied_chats': (rows, asked) =>
    byKey(
      openModel(asked),
      chatsOf(rows, { ...asked, group: undefined, agent: undefined }),
      (one) => one.thread.createdAt,
      (some) => ({
        not_replied: countIf(some, ({ replied }) => !replied),
      }),
    ),
  'chats/ratings': (rows, asked) => {
    const model = openModel(asked);
    return byKey(
      model,
      chatsOf(rows, asked),
      (one) => one.thread.createdAt,
      (some, key) => ({
        ...model.rangeOf(key),
        bad: countIf(some, ({ rating }) => rating === 'bad'),
        good: countIf(some, ({ rating }) => rating === 'good'),
        chats: some.length,
      }),
    );
  },
  'chats/ratings/ranking': (rows, asked) => {
    const model = openModel(asked);
    const people = rows.agents.filter(({ kind }) => kind === 'person').map(({ id }) => id);
    const some = chatsOf(rows, { ...asked, agent: undefined }).filter(({ thread }) => model.keyOf(thread.createdAt));
    return {
      ranking: rank(
        some.flatMap(({ agents, rating }) => agents.filter((by) => people.includes(by)).map((by) => ({ by, rating }))),
      ),
    };
  },
  'chats/queued_visitors/waiting_times': (rows, asked) => {
    const over = rows.stays.filter(
      ({ outcome, groupIds }) => outcome !== null && (asked.group === undefined || groupIds.includes(asked.group)),
    );
    return byKey(
      openModel(asked),
      over,
      ({ enteredAt }) => enteredAt,
      (some) => ({
        queued: waits(some),
        left_queue: waits(some.filter(({ outcome }) => outcome !== 'assigned')),
        entered_chat: waits(some.filter(({ outcome }) => outcome === 'assigned')),
      }),
    );
  },
  'chats/queued_visitors': (rows, asked) => {
    const times = reportModels['chats/queued_visitors/waiting_times']!(rows, asked, new Date()) as Record<
      string,
      Record<string, { count: number }>
    >;
    return Object.fromEntries(
      Object.entries(times).map(([key, some]) => [
        key,
        Object.fromEntries(Object.entries(some).map(([name, { count }]) => [name, { count }])),
      ]),
    );
  },
  availability: (rows, asked, now) => availability(rows, openModel(asked), asked, now),
  'chats/chatting_time': (rows, asked) => {
    const model = openModel(asked);
    const byHour = model.keys[0]!.length === 5;
    return byKey(
      model,
      chatsOf(rows, asked),
      (one) => one.thread.createdAt,
      (some) => {
        const own = some
          .flatMap(({ chatting }) => chatting)
          .filter(({ by }) => asked.agent === undefined || by === asked.agent);
        const sum = own.reduce((total, { took }) => total + took, 0);
        return { hours: round(sum / 3_600_000), ...(byHour ? { minutes: round(sum / 60_000) } : {}) };
      },
    );
  },
  'chats/first_response_time': (rows, asked) =>
    byKey(
      openModel(asked),
      chatsOf(rows, asked),
      (one) => one.thread.createdAt,
      (some) => {
        const firsts = some.flatMap(({ responses }) => responses.slice(0, 1));
        const own = firsts.filter(({ by }) => asked.agent === undefined || by === asked.agent);
        return {
          first_response_time: {
            count: own.length,
            seconds: average(
              own.map(({ took }) => took),
              1000,
            ),
          },
        };
      },
    ),
  'chats/response_time': (rows, asked) =>
    byKey(
      openModel(asked),
      chatsOf(rows, asked),
      (one) => one.thread.createdAt,
      (some) => {
        const all = some.flatMap(({ responses }) => responses);
        const own = all.filter(({ by }) => asked.agent === undefined || by === asked.agent);
        return {
          avg_response_time: {
            count: own.length,
            seconds: average(
              own.map(({ took }) => took),
              1000,
            ),
          },
        };
      },
    ),
  'chats/goals': (rows, asked) => {
    const model = openModel(asked);
    return byKey(
      model,
      hitsOf(rows, asked),
      ({ reachedAt }) => reachedAt,
      (some, key) => ({
        ...model.rangeOf(key),
        ...goals(asked, some),
      }),
    );
  },
  'chats/greetings': (rows, asked) => greetings(rows, openModel(asked), asked),
  'tickets/new_tickets': (rows, asked) =>
    byKey(
      openModel(asked),
      ticketsOf(rows, asked),
      ({ createdAt }) => createdAt,
      (some) => ({ new_tickets: some.length }),
    ),
  'tickets/first_response_time': (rows, asked) => {
    const own = ticketsOf(rows, asked).filter(
      ({ firstResponseBy }) => asked.agent === undefined || firstResponseBy === asked.agent,
    );
    return byKey(
      openModel(asked),
      own,
      ({ firstResponseAt }) => firstResponseAt,
      (some) => hours(some, ({ firstResponseAt }) => firstResponseAt!),
    );
  },
  'tickets/solved_tickets': (rows, asked) => {
    const own = ticketsOf(rows, asked).filter(({ solvedBy }) => asked.agent === undefined || solvedBy === asked.agent);
    return byKey(
      openModel(asked),
      own,
      ({ solvedAt }) => solvedAt,
      (some) => ({ solved_tickets: some.length }),
    );
  },
  'tickets/resolution_time': (rows, asked) => {
    const own = ticketsOf(rows, asked).filter(({ solvedBy }) => asked.agent === undefined || solvedBy === asked.agent);
    return byKey(
      openModel(asked),
      own,
      ({ solvedAt }) => solvedAt,
      (some) => hours(some, ({ solvedAt }) => solvedAt!),
    );
  },
  'tickets/ticket_sources': (rows, asked) =>
    byKey(
      openModel(asked),
      ticketsOf(rows, asked),
      ({ createdAt }) => createdAt,
      (some) => ({
        tickets_from_chat_window: countIf(some, ({ sourceType }) => sourceType === 'chat-window'),
        tickets_from_mail: countIf(some, ({ sourceType }) => sourceType === 'mail'),
        tickets_from_chat: countIf(some, ({ sourceType }) => sourceType === 'lc2'),
      }),
    ),
  'tickets/ratings': (rows, asked) => {
    const model = openModel(asked);
    const own = ticketsOf(rows, asked).filter(
      (ticket) => asked.agent === undefined || ratedAgent(ticket) === asked.agent,
    );
    return byKey(
      model,
      own,
      ({ ratedAt }) => ratedAt,
      (some, key) => ({
        ...model.rangeOf(key),
        bad: countIf(some, ({ rating }) => rating === 'bad'),
        good: countIf(some, ({ rating }) => rating === 'good'),
      }),
    );
  },
  'tickets/ratings/ranking': (rows, asked) => {
    const model = openModel(asked);
    const some = ticketsOf(rows, asked).filter(({ ratedAt }) => ratedAt && model.keyOf(ratedAt));
    return { ranking: rank(some.map((ticket) => ({ by: ratedAgent(ticket), rating: ticket.rating }))) };
  },
};

/** The most chats that people answered at once, looked at whenever anything changed. */
export const occupancyModel = (rows: Rows, timezone: string, days: string[]) => {
  const people = rows.agents.filter(({ kind }) => kind === 'person').map(({ id }) => id);
  const own = rows.assignments.filter(({ agentId }) => people.includes(agentId));
  const most: Record<string, number> = {};
  for (const day of days) {
    const model = openModel({ timezone, date_from: day, date_to: day, group_by: 'hour' });
    for (const key of model.keys) most[`${day} ${key}`] = 0;
    const times = [...own.flatMap(({ assignedAt, endedAt }) => [ms(assignedAt), ...(endedAt ? [ms(endedAt)] : [])])];
    for (let at = Date.parse(day) - DAY_MS; at < Date.parse(day) + 3 * DAY_MS; at += QUARTER_MS) times.push(at);
    for (const at of times) {
      const key = model.keyOf(new Date(at));
      if (key === undefined) continue;
      const open = own.filter(
        ({ assignedAt, endedAt }) => ms(assignedAt) <= at && (endedAt === null || ms(endedAt) > at),
      );
      most[`${day} ${key}`] = Math.max(most[`${day} ${key}`]!, open.length);
    }
  }
  return most;
};
