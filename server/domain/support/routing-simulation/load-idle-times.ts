import { selectThreads } from './load-threads.ts';
import type { Interval } from './model.ts';
import type { Rows } from './rows.ts';

/** How long each closed thread had been without a message when it was closed, by thread id. */
export const loadIdleTimes = async (rows: Rows, window: Interval): Promise<Map<string, number>> => {
  const closed = await selectThreads(rows, window)
    .innerJoin('events', (join) =>
      join.onRef('events.organizationId', '=', 'threads.organizationId').onRef('events.threadId', '=', 'threads.id'),
    )
    .where('events.authorKind', '<>', 'system')
    .where('threads.closedAt', 'is not', null)
    .groupBy(['threads.id', 'threads.closedAt'])
    .select(['threads.id', 'threads.closedAt'])
    .select((eb) => eb.fn.max('events.createdAt').as('lastEventAt'))
    .execute();
  return new Map(closed.map(({ id, closedAt, lastEventAt }) => [id, closedAt!.getTime() - lastEventAt.getTime()]));
};
