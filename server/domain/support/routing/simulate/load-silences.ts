import { selectThreads } from './load-threads.ts';
import type { Interval } from './model.ts';
import type { Rows } from './rows.ts';

/** How long nobody had said anything when a thread was closed, by thread. */
export const loadSilences = async (rows: Rows, window: Interval): Promise<Map<string, number>> => {
  const closed = await selectThreads(rows, window)
    .innerJoin('events', (join) =>
      join.onRef('events.organizationId', '=', 'threads.organizationId').onRef('events.threadId', '=', 'threads.id'),
    )
    .where('events.authorKind', '<>', 'system')
    .where('threads.closedAt', 'is not', null)
    .groupBy(['threads.id', 'threads.closedAt'])
    .select(['threads.id', 'threads.closedAt'])
    .select((eb) => eb.fn.max('events.createdAt').as('lastWordAt'))
    .execute();
  return new Map(closed.map(({ id, closedAt, lastWordAt }) => [id, closedAt!.getTime() - lastWordAt.getTime()]));
};
