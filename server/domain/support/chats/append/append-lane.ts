import { LRUCache } from 'lru-cache';
import type { Database } from '#server/storage/database.ts';
import { isDatabaseUnavailable, isStatementTimeout } from '#server/storage/database-errors.ts';
import type { DomainEvent } from '../../../events.ts';
import type { Reactions } from '../../../reactions.ts';
import { warnOnError } from '../../../warn-on-error.ts';
import { markFilesUsed } from '../../files/mark-used.ts';
import type { EventDraft } from '../records.ts';
import { type AppendItem, type AppendResult, appendEvents, fileUses } from './append-statement.ts';

/** The draft may still be loading, for example while a file is looked up; the item keeps its place in the lane. */
export type LaneItem = Omit<AppendItem, 'draft'> & { draft: EventDraft | Promise<EventDraft> };

interface Waiting<Item extends LaneItem = LaneItem> {
  item: Item;
  resolve(result: AppendResult): void;
  reject(error: unknown): void;
}

type Ready = Waiting<AppendItem>;

const isReady = (one: Waiting): one is Ready => !(one.item.draft instanceof Promise);

export interface AppendLane {
  append(item: LaneItem): Promise<AppendResult>;
  /** Resolves when the lane is empty. */
  drain(): Promise<void>;
}

export interface LaneOptions {
  lanes: number;
  maxPerBatch: number;
}

export interface LaneServices {
  database: Database;
  reactions: Reactions;
}

/** Chats are locked briefly. A chat that is locked longer must not delay the others of its lane. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCKED_AGAIN_TIMEOUT_MS = 100;

const eventSent = (item: AppendItem, result: AppendResult): DomainEvent[] => {
  if (result.outcome !== 'appended') return [];
  const { event, customerId, groupIds } = result;
  const { organizationId, chatId, cause } = item;
  const about = { organizationId, chatId, threadId: event.threadId, customerId, groupIds };
  return [{ type: 'event_sent', ...about, event, ...(cause ? { cause } : {}) }];
};

/** Organizations that were found to have webhooks for events. Forgetting one costs a statement that writes nothing. */
const MAX_CACHED = 10_000;
const CACHE_TTL_MS = 60_000;

interface Written {
  result: AppendResult;
  events: DomainEvent[];
}

/**
 * Writes a batch. A statement without a transaction around it is enough for plain messages; webhook deliveries, the use of files and
 * durable reactions are written in the same transaction as their events.
 */
const createCommit = ({ database, reactions }: LaneServices) => {
  const haveWebhooks = new LRUCache<string, true>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });
  const needsTransaction = ({ organizationId, draft }: AppendItem): boolean =>
    draft.content.type === 'file' || haveWebhooks.has(organizationId);
  const present = (items: AppendItem[], results: AppendResult[]): Written[] =>
    results.map((result, at) => ({ result, events: eventSent(items[at]!, result) }));

  return async (items: AppendItem[], lockTimeoutMs: number): Promise<Written[]> => {
    if (!reactions.isDurable('event_sent') && !items.some(needsTransaction)) {
      const results = await appendEvents(database, items, { lockTimeoutMs, inTransaction: false });
      for (const [at, { outcome }] of results.entries())
        if (outcome === 'needs_transaction') haveWebhooks.set(items[at]!.organizationId, true);
      return present(items, results);
    }
    return database.transaction(async (executor) => {
      const results = await appendEvents(executor, items, { lockTimeoutMs });
      await markFilesUsed(executor, fileUses(items, results));
      const written = present(items, results);
      const events = written.flatMap((one) => one.events);
      if (events.length > 0) await reactions.beforeCommit(events, executor);
      return written;
    });
  };
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

/** Takes the items that fit one statement from the front; a retry of an item in the same batch waits for the next one. */
const takeBatch = (queue: Waiting[], maxItems: number): Ready[] => {
  const keys = new Set<string>();
  const batch: Ready[] = [];
  const later: Ready[] = [];
  const end = queue.findIndex((one, at) => at >= maxItems || !isReady(one));
  for (const one of queue.splice(0, end === -1 ? queue.length : end) as Ready[]) {
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

/** The lane waits for the draft of its first item, so that a message sent after a file stays after it. */
const awaitDraft = async (queue: Waiting[], first: Waiting): Promise<void> => {
  try {
    queue[0] = { ...first, item: { ...first.item, draft: await first.item.draft } };
  } catch (error) {
    queue.shift();
    first.reject(error);
  }
};

/**
 * Messages are the hot path: those that arrive while a statement runs form the next batch. There is no timer, so a single
 * message does not wait. One statement at a time runs per lane, and a chat always uses the same lane, which preserves its order.
 * `npm run bench -- send-event`: 3,180 events per second instead of 1,080 with one statement per request.
 */
export const createAppendLane = (services: LaneServices, { lanes, maxPerBatch }: LaneOptions): AppendLane => {
  const queues: Waiting[][] = Array.from({ length: lanes }, () => []);
  const running: (Promise<void> | undefined)[] = queues.map(() => undefined);

  const commit = createCommit(services);

  const write = async (batch: Ready[], lockTimeoutMs: number): Promise<void> => {
    const written = await commit(
      batch.map(({ item }) => item),
      lockTimeoutMs,
    );
    const again: Ready[] = [];
    for (const [at, { result, events }] of written.entries()) {
      if (result.outcome === 'needs_transaction') again.push(batch[at]!);
      else {
        for (const event of events) warnOnError(() => services.reactions.afterCommit(event));
        batch[at]!.resolve(result);
      }
    }
    if (again.length > 0) await appendBatch(again);
  };

  /** Items of a chat that stays locked fail after the first attempt, so that the others do not wait for each of them. */
  const appendEach = async (batch: Ready[], afterTimeout: boolean): Promise<void> => {
    const locked = new Map<string, unknown>();
    for (const { item, ...one } of batch) {
      if (locked.has(item.chatId)) one.reject(locked.get(item.chatId));
      else {
        const lockTimeoutMs = afterTimeout || locked.size > 0 ? LOCKED_AGAIN_TIMEOUT_MS : LOCK_TIMEOUT_MS;
        await write([{ item, ...one }], lockTimeoutMs).catch((error: unknown) => {
          if (isStatementTimeout(error)) locked.set(item.chatId, error);
          one.reject(error);
        });
      }
    }
  };

  const appendBatch = async (batch: Ready[]): Promise<void> => {
    try {
      await write(batch, LOCK_TIMEOUT_MS);
    } catch (error) {
      // The whole batch was rolled back. One bad item must not fail the others, so each is written alone; this also handles a
      // retry that another process wrote at the same moment. Without a database nothing can succeed.
      if (isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error);
      else await appendEach(batch, isStatementTimeout(error));
    }
  };

  const run = async (lane: number): Promise<void> => {
    const queue = queues[lane]!;
    for (let [first] = queue; first; [first] = queue) {
      if (isReady(first)) await appendBatch(takeBatch(queue, maxPerBatch));
      else await awaitDraft(queue, first);
    }
    running[lane] = undefined;
  };

  return {
    append: (item) =>
      new Promise((resolve, reject) => {
        const lane = laneOf(item.chatId, lanes);
        // A draft that fails early is reported when the item is reached.
        if (item.draft instanceof Promise) item.draft.catch(() => undefined);
        queues[lane]!.push({ item, resolve, reject });
        running[lane] ??= run(lane);
      }),
    drain: async () => {
      while (running.some(Boolean)) await Promise.all(running);
    },
  };
};
