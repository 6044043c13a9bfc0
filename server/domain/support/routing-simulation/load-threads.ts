import type { Interval } from './model.ts';
import type { StoredThread } from './read-history.ts';
import type { Rows } from './rows.ts';

interface LoadOptions {
  window: Interval;
  now: number;
  bots: ReadonlySet<string>;
}

/** Selects threads that were open at some time within the window. */
export const selectThreads = (rows: Rows, { from, to }: Interval) =>
  rows
    .from('threads')
    .where('threads.createdAt', '<', new Date(to))
    .where((eb) =>
      eb.or([
        eb('threads.createdAt', '>=', new Date(from)),
        eb('threads.closedAt', 'is', null),
        eb('threads.closedAt', '>', new Date(from)),
      ]),
    );

const idsOf = (rows: Rows, window: Interval) => selectThreads(rows, window).select('threads.id');

const loadQueueEntries = (rows: Rows, window: Interval) =>
  rows
    .from('queueEntries')
    .where('threadId', 'in', idsOf(rows, window))
    .orderBy('enteredAt')
    .orderBy('id')
    .select(['threadId', 'groupIds', 'priority', 'enteredAt', 'leftAt', 'outcome'])
    .execute();

const loadAssignments = (rows: Rows, window: Interval) =>
  rows
    .from('assignments')
    .where('threadId', 'in', idsOf(rows, window))
    .orderBy('assignedAt')
    .orderBy('id')
    .select(['threadId', 'agentId', 'rule', 'groupIds', 'assignedAt', 'endedAt'])
    .execute();

/** Agents of threads from before assignments were stored. */
const loadEarlierAnswers = (rows: Rows, window: Interval) =>
  rows
    .from('threadAgents')
    .where('threadId', 'in', idsOf(rows, window))
    .distinctOn('threadId')
    .orderBy('threadId')
    .orderBy('agentId')
    .select(['threadId', 'agentId'])
    .execute();

export const loadThreads = async (rows: Rows, { window, now, bots }: LoadOptions): Promise<StoredThread[]> => {
  const threads = await selectThreads(rows, window)
    .innerJoin('chats', (join) =>
      join.onRef('chats.organizationId', '=', 'threads.organizationId').onRef('chats.id', '=', 'threads.chatId'),
    )
    .select(['threads.id', 'threads.groupIds', 'threads.createdAt', 'threads.closedAt', 'continuous'])
    .execute();
  const queueEntries = Map.groupBy(await loadQueueEntries(rows, window), ({ threadId }) => threadId);
  const assignments = Map.groupBy(await loadAssignments(rows, window), ({ threadId }) => threadId);
  const earlierAnswers = new Map((await loadEarlierAnswers(rows, window)).map((one) => [one.threadId, one.agentId]));
  return threads.map(({ id, groupIds, createdAt, closedAt, continuous }) => {
    const ends = closedAt?.getTime() ?? now;
    const untilEnd = (from: Date, to: Date | null) => ({ from: from.getTime(), to: to?.getTime() ?? ends });
    const stored = (assignments.get(id) ?? []).map(({ agentId, rule, assignedAt, endedAt, ...one }) => ({
      ...{ agentId, rule, byBot: bots.has(agentId), groupIds: one.groupIds },
      ...untilEnd(assignedAt, endedAt),
    }));
    const waited = (queueEntries.get(id) ?? []).map(({ priority, outcome, enteredAt, leftAt, ...one }) => ({
      ...{ priority, outcome, groupIds: one.groupIds },
      ...untilEnd(enteredAt, leftAt),
    }));
    const before = earlierAnswers.get(id);
    const isRouted = stored.length + waited.length > 0 || before === undefined;
    const answered = {
      agentId: before!,
      byBot: false,
      rule: 'only_candidate',
      groupIds,
      ...untilEnd(createdAt, closedAt),
    };
    return {
      id,
      groupIds,
      continuous,
      createdAt: createdAt.getTime(),
      queueEntries: waited,
      assignments: isRouted ? stored : [answered],
    };
  });
};
