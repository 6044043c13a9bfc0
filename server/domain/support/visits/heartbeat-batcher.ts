import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { extendVisitTracking, type VisitHeartbeat } from '#server/storage/platform-visits.ts';
import type { Services } from '../../scope.ts';
import { isHeartbeat, TRACKING_TIMEOUT_MS, type VisitorActivity } from './beacons.ts';
import { inactiveSince, toHeartbeat } from './extend-tracking.ts';
import { browserKey } from './filter-own-browsers.ts';

/**
 * Most beacons only say that the visitor is still there. Heartbeats of recently recognized browsers are answered
 * immediately and written together for all organizations.
 */
export interface HeartbeatBatcher {
  /** Queues the heartbeat of a recognized browser. Returns false if the activity must be written normally. */
  enqueue(organizationId: string, activity: VisitorActivity): boolean;
  /** Marks a browser as recognized after its activity was written. */
  markRecognized(organizationId: string, activity: VisitorActivity): void;
  pendingCount(): number;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Short compared to the tracking timeout, so that a delayed or lost batch does no harm. */
const FLUSH_DELAY_MS = 1_000;
const MAX_CACHED = 50_000;
const MAX_QUEUED = 20_000;
const MAX_PER_STATEMENT = 1_000;

export const createHeartbeatBatcher = ({ executor, clock }: Services, log: Logger): HeartbeatBatcher => {
  /** When each browser was last seen. */
  const recognized = new LRUCache<string, Date>({ max: MAX_CACHED });
  const waiting = new Map<string, VisitHeartbeat>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  const keyOf = (organizationId: string, activity: VisitorActivity): string =>
    `${organizationId} ${browserKey(activity)}`;

  const write = async (batch: [string, VisitHeartbeat][]): Promise<void> => {
    try {
      const heartbeats = batch.map(([, heartbeat]) => heartbeat);
      const extended = await extendVisitTracking(executor, heartbeats, {
        now: clock.now(),
        silent: inactiveSince(clock.now()),
      });
      const ids = new Set(extended.map(({ organizationId, customerId }) => `${organizationId} ${customerId}`));
      // Browsers without an ongoing visit must go through the normal path next time.
      for (const [key, { organizationId, customerId }] of batch)
        if (!ids.has(`${organizationId} ${customerId}`)) recognized.delete(key);
    } catch (error) {
      log.warn({ err: error, visitors: batch.length }, 'visitor heartbeats lost: write failed');
    }
  };

  const writeAll = async (): Promise<void> => {
    const all = [...waiting];
    waiting.clear();
    for (let at = 0; at < all.length; at += MAX_PER_STATEMENT) await write(all.slice(at, at + MAX_PER_STATEMENT));
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };

  return {
    enqueue: (organizationId, activity) => {
      const key = keyOf(organizationId, activity);
      const seenAt = recognized.get(key);
      const isRecognized = seenAt !== undefined && activity.seenAt.getTime() - seenAt.getTime() < TRACKING_TIMEOUT_MS;
      if (stopped || !isRecognized || activity.left || activity.checksGreeting || !isHeartbeat(activity)) {
        // The activity that is written now includes this heartbeat.
        waiting.delete(key);
        recognized.delete(key);
        return false;
      }
      if (waiting.size >= MAX_QUEUED) return false;
      recognized.set(key, activity.seenAt);
      waiting.set(key, toHeartbeat(organizationId, activity));
      timer ??= setTimeout(() => void flush(), FLUSH_DELAY_MS);
      return true;
    },
    markRecognized: (organizationId, activity) => {
      if (!activity.left) recognized.set(keyOf(organizationId, activity), activity.seenAt);
    },
    pendingCount: () => waiting.size,
    flush,
    stop: () => {
      stopped = true;
      return flush();
    },
  };
};
