import {
  average,
  byKey,
  countIf,
  DAY_MS,
  type Model,
  ms,
  openModel,
  QUARTER_MS,
  type ReportModels,
  type ReportQuery,
  type Rows,
  rank,
  round,
} from './report-rows.ts';

/** Derives the reported facts of a thread from its rows. */
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
  let waitingSince: Date | undefined;
  for (const { authorKind, authorId, createdAt } of words) {
    if (authorKind === 'customer') waitingSince ??= createdAt;
    else if (waitingSince) {
      responses.push({ by: authorId!, took: ms(createdAt) - ms(waitingSince) });
      waitingSince = undefined;
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

const chatsOf = (rows: Rows, { group, agent, tag }: ReportQuery) =>
  rows.threads
    .filter(({ active }) => !active)
    .map((thread) => readThread(rows, thread))
    .filter(({ thread }) => group === undefined || thread.groupIds.includes(group))
    .filter(({ thread }) => tag === undefined || thread.tags.includes(tag))
    .filter(({ agents }) => agent === undefined || agents.includes(agent));

const waits = (queueEntries: Rows['queueEntries']) => {
  const times = queueEntries.map(({ enteredAt, leftAt }) => ms(leftAt!) - ms(enteredAt));
  const some = (value: number) => ({ seconds: times.length === 0 ? null : round(value / 1000) });
  return {
    count: queueEntries.length,
    min: some(Math.min(...times)),
    max: some(Math.max(...times)),
    average: { seconds: average(times, 1000) },
  };
};

const isAccepting = (rows: Rows, agentId: string, at: number): boolean =>
  rows.changes.findLast((change) => change.agentId === agentId && ms(change.changedAt) <= at)?.status ===
  'accepting chats';

const availability = (rows: Rows, model: Model, { group, agent }: ReportQuery, now: Date) => {
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

export const chatReportModels: ReportModels = {
  'chats/total_chats': (rows, query) =>
    byKey(
      openModel(query),
      chatsOf(rows, query),
      (one) => one.thread.createdAt,
      (some) => ({ chats: some.length }),
    ),
  'chats/engagement': (rows, query) =>
    byKey(
      openModel(query),
      chatsOf(rows, query),
      (one) => one.thread.createdAt,
      (some) => ({
        chats_from_auto_invite: countIf(some, ({ begun }) => begun === 'auto'),
        chats_from_immediate_start: countIf(some, ({ begun }) => begun === 'immediate'),
        chats_from_manual_invite: countIf(some, ({ begun }) => begun === 'manual'),
      }),
    ),
  'chats/not_replied_chats': (rows, query) =>
    byKey(
      openModel(query),
      chatsOf(rows, { ...query, group: undefined, agent: undefined }),
      (one) => one.thread.createdAt,
      (some) => ({
        not_replied: countIf(some, ({ replied }) => !replied),
      }),
    ),
  'chats/ratings': (rows, query) => {
    const model = openModel(query);
    return byKey(
      model,
      chatsOf(rows, query),
      (one) => one.thread.createdAt,
      (some, key) => ({
        ...model.rangeOf(key),
        bad: countIf(some, ({ rating }) => rating === 'bad'),
        good: countIf(some, ({ rating }) => rating === 'good'),
        chats: some.length,
      }),
    );
  },
  'chats/ratings/ranking': (rows, query) => {
    const model = openModel(query);
    const people = rows.agents.filter(({ kind }) => kind === 'person').map(({ id }) => id);
    const some = chatsOf(rows, { ...query, agent: undefined }).filter(({ thread }) => model.keyOf(thread.createdAt));
    return {
      ranking: rank(
        some.flatMap(({ agents, rating }) => agents.filter((by) => people.includes(by)).map((by) => ({ by, rating }))),
      ),
    };
  },
  'chats/queued_visitors/waiting_times': (rows, query) => {
    const over = rows.queueEntries.filter(
      ({ outcome, groupIds }) => outcome !== null && (query.group === undefined || groupIds.includes(query.group)),
    );
    return byKey(
      openModel(query),
      over,
      ({ enteredAt }) => enteredAt,
      (some) => ({
        queued: waits(some),
        left_queue: waits(some.filter(({ outcome }) => outcome !== 'assigned')),
        entered_chat: waits(some.filter(({ outcome }) => outcome === 'assigned')),
      }),
    );
  },
  'chats/queued_visitors': (rows, query) => {
    const times = chatReportModels['chats/queued_visitors/waiting_times']!(rows, query, new Date()) as Record<
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
  availability: (rows, query, now) => availability(rows, openModel(query), query, now),
  'chats/chatting_time': (rows, query) => {
    const model = openModel(query);
    const byHour = model.keys[0]!.length === 5;
    return byKey(
      model,
      chatsOf(rows, query),
      (one) => one.thread.createdAt,
      (some) => {
        const own = some
          .flatMap(({ chatting }) => chatting)
          .filter(({ by }) => query.agent === undefined || by === query.agent);
        const sum = own.reduce((total, { took }) => total + took, 0);
        return { hours: round(sum / 3_600_000), ...(byHour ? { minutes: round(sum / 60_000) } : {}) };
      },
    );
  },
  'chats/first_response_time': (rows, query) =>
    byKey(
      openModel(query),
      chatsOf(rows, query),
      (one) => one.thread.createdAt,
      (some) => {
        const firsts = some.flatMap(({ responses }) => responses.slice(0, 1));
        const own = firsts.filter(({ by }) => query.agent === undefined || by === query.agent);
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
  'chats/response_time': (rows, query) =>
    byKey(
      openModel(query),
      chatsOf(rows, query),
      (one) => one.thread.createdAt,
      (some) => {
        const all = some.flatMap(({ responses }) => responses);
        const own = all.filter(({ by }) => query.agent === undefined || by === query.agent);
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
};

/** The highest number of concurrent chats of human agents, evaluated at every change. */
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
