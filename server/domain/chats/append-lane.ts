import type { Database } from '#server/storage/database.ts';
import { isDatabaseAway } from '#server/storage/failures.ts';
import type { DomainEvent } from '../events.ts';
import type { Reactions } from '../scope.ts';
import { type AppendItem, type AppendResult, appendEvents } from './append-statement.ts';

interface Waiting {
  item: AppendItem;
  resolve(result: AppendResult): void;
  reject(error: unknown): void;
}

export interface AppendLane {
  append(item: AppendItem): Promise<AppendResult>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
}

export interface LaneOptions {
  lanes: number;
  mostPerBatch: number;
}

export interface LaneServices {
  database: Database;
  reactions: Reactions;
}

const eventSent = (item: AppendItem, result: AppendResult): DomainEvent[] => {
  if (result.outcome !== 'appended') return [];
  const { event, customerId, groupIds } = result;
  const { organizationId, chatId } = item;
  return [{ type: 'event_sent', organizationId, chatId, threadId: event.threadId, customerId, groupIds, event }];
};

/** Writes a batch and what durably follows from it in one transaction; without durable reactions the statement is its own. */
const commitBatch = async ({ database, reactions }: LaneServices, items: AppendItem[]): Promise<AppendResult[]> => {
  if (!reactions.isDurable('event_sent')) return appendEvents(database, items);
  return database.transaction(async (executor) => {
    const results = await appendEvents(executor, items);
    for (const [at, result] of results.entries()) {
      for (const event of eventSent(items[at]!, result)) await reactions.beforeCommit(event, executor);
    }
    return results;
  });
};

const laneOf = (chatId: string, lanes: number): number => {
  let hash = 0;
  for (let at = 0; at < chatId.length; at++) hash = (hash * 31 + chatId.charCodeAt(at)) | 0;
  return (hash >>> 0) % lanes;
};

const retryKey = ({ organizationId, chatId, author, draft }: AppendItem): string | undefined =>
  draft.customId === undefined || author.kind === 'system'
    ? undefined
    : `${organizationId} ${chatId} ${author.id} ${draft.customId}`;

/** Takes from the front what fits one statement; a retry that travels with its original waits for the next one. */
const takeBatch = (queue: Waiting[], most: number): Waiting[] => {
  const keys = new Set<string>();
  const batch: Waiting[] = [];
  const later: Waiting[] = [];
  for (const one of queue.splice(0, most)) {
    const key = retryKey(one.item);
    if (key !== undefined && keys.has(key)) later.push(one);
    else {
      if (key !== undefined) keys.add(key);
      batch.push(one);
    }
  }
  queue.unshift(...later);
  return batch;
};

/**
 * Messages are the hot path: whatever arrives while a statement is under way forms the next one. No timer, so a lone
 * message waits for nothing; one statement at a time per lane, and a chat always has the same lane, so its order is kept.
 */
export const createAppendLane = (services: LaneServices, { lanes, mostPerBatch }: LaneOptions): AppendLane => {
  const queues: Waiting[][] = Array.from({ length: lanes }, () => []);
  const running: (Promise<void> | undefined)[] = queues.map(() => undefined);

  const append = async (batch: Waiting[]): Promise<void> => {
    const items = batch.map(({ item }) => item);
    const results = await commitBatch(services, items);
    for (const [at, result] of results.entries()) {
      for (const event of eventSent(items[at]!, result)) services.reactions.afterCommit(event);
      batch[at]!.resolve(result);
    }
  };

  const appendBatch = async (batch: Waiting[]): Promise<void> => {
    try {
      await append(batch);
    } catch (error) {
      // The batch was undone as a whole. One bad item must not fail its neighbours, so each gets a try of its own; this
      // also settles a retry that another process was writing at the same moment. Without a database nothing can succeed.
      if (isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await append([one]).catch(one.reject);
    }
  };

  const run = async (lane: number): Promise<void> => {
    const queue = queues[lane]!;
    while (queue.length > 0) await appendBatch(takeBatch(queue, mostPerBatch));
    running[lane] = undefined;
  };

  return {
    append: (item) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(item.chatId, lanes);
        queues[lane]!.push({ item, resolve, reject });
        running[lane] ??= run(lane);
      }),
    drain: async () => {
      while (running.some(Boolean)) await Promise.all(running);
    },
  };
};
