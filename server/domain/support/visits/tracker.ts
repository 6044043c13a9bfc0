import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '#server/storage/database-errors.ts';
import { DomainError } from '../../errors.ts';
import { openOrganizationScope, type Services } from '../../scope.ts';
import { type Beacon, type BeaconAnswer, mergeActivities, toActivity, type VisitorActivity } from './beacons.ts';
import { browserKey } from './filter-own-browsers.ts';
import { createHeartbeatBatcher } from './heartbeat-batcher.ts';
import { trackVisitors } from './track-visitors.ts';

export interface Tracker {
  /**
   * Resolves when the activity is written, or immediately for heartbeats of recognized browsers. Throws when too much
   * is queued.
   */
  track(organizationId: string, beacon: Beacon): Promise<BeaconAnswer>;
  /** Number of queued activities. */
  pendingCount(): number;
  /** Writes queued heartbeats; used by tests. */
  flush(): Promise<void>;
  /** Writes everything queued and accepts no more. */
  stop(): Promise<void>;
}

interface QueuedActivity {
  activity: VisitorActivity;
  characters: number;
  answer: PromiseWithResolvers<BeaconAnswer>;
}

export interface TrackerParts {
  services: Services;
  log: Logger;
  maxWaiting?: number;
}

const MAX_QUEUED = 20_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_PER_BATCH = 500;
/** Most database connections are reserved for requests. */
const MAX_CONCURRENT = 2;
/** After a large batch, a short delay lets the next batch grow. */
const MIN_BUSY_BATCH = 8;
const FLUSH_DELAY_MS = 20;
const RETRY_SECONDS = 5;

const sizeOf = ({ page, referrer = '', variables = {}, goals = [] }: Beacon): number =>
  500 +
  page.url.length +
  (page.title?.length ?? 0) +
  referrer.length +
  goals.length * 500 +
  Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0);

/** Several beacons of one browser are written as one. */
const joinByBrowser = (batch: QueuedActivity[]): VisitorActivity[] => {
  const joined = new Map<string, VisitorActivity>();
  for (const { activity } of batch) {
    const earlier = joined.get(browserKey(activity));
    joined.set(browserKey(activity), earlier ? mergeActivities(earlier, activity) : activity);
  }
  return [...joined.values()];
};

/**
 * Collects beacons and writes them in batches. Heartbeats are flushed every second; other activities that arrive while
 * a batch of the organization is being written form its next one. At most two organizations are written at a time, in
 * turn, so that a busy one does not block the others.
 */
export const createTracker = ({ services, log, maxWaiting = MAX_QUEUED }: TrackerParts): Tracker => {
  const heartbeats = createHeartbeatBatcher(services, log);
  const queues = new Map<string, QueuedActivity[]>();
  const busy = new Set<string>();
  const delays = new Map<string, NodeJS.Timeout>();
  const working = new Set<Promise<void>>();
  let count = 0;
  let characters = 0;
  let stopped = false;

  const takeBatch = (): { organizationId: string; batch: QueuedActivity[] } | undefined => {
    for (const [organizationId, queue] of queues) {
      if (busy.has(organizationId)) continue;
      const batch = queue.splice(0, MAX_PER_BATCH);
      queues.delete(organizationId);
      // Moved to the end, so that other organizations come first.
      if (queue.length > 0) queues.set(organizationId, queue);
      return { organizationId, batch };
    }
    return undefined;
  };

  const write = async (organizationId: string, batch: QueuedActivity[]): Promise<void> => {
    const scope = openOrganizationScope(services, { kind: 'system' }, organizationId);
    try {
      const answers = await trackVisitors(scope, joinByBrowser(batch));
      for (const { activity, answer } of batch) {
        const result = answers.get(browserKey(activity))!;
        if (result.recognised) heartbeats.markRecognized(organizationId, activity);
        answer.resolve(result);
      }
    } catch (error) {
      if (batch.length > 1 && !stopped && !isDatabaseUnavailable(error)) {
        log.warn({ err: error }, 'visitor batch failed: retrying one by one');
        // A single bad activity must not fail the others.
        for (const one of batch) await write(organizationId, [one]);
      } else for (const { answer } of batch) answer.reject(error);
    }
  };

  const release = (organizationId: string, size: number): void => {
    const free = (): void => {
      delays.delete(organizationId);
      busy.delete(organizationId);
      begin();
    };
    if (size >= MIN_BUSY_BATCH && !stopped) delays.set(organizationId, setTimeout(free, FLUSH_DELAY_MS));
    else free();
  };

  const work = async (): Promise<void> => {
    for (let job = takeBatch(); job; job = takeBatch()) {
      const { organizationId, batch } = job;
      busy.add(organizationId);
      await write(organizationId, batch);
      count -= batch.length;
      characters -= batch.reduce((sum, one) => sum + one.characters, 0);
      release(organizationId, batch.length);
    }
  };

  const begin = (): void => {
    if (working.size >= MAX_CONCURRENT || queues.size === 0) return;
    const run = work().finally(() => working.delete(run));
    working.add(run);
  };

  return {
    track: (organizationId, beacon) => {
      const activity = toActivity(beacon, services.secrets.hash(beacon.secret), services.clock.now());
      if (heartbeats.enqueue(organizationId, activity)) return Promise.resolve({ recognised: true });
      const weight = sizeOf(beacon);
      if (stopped || count >= maxWaiting || characters + weight > MAX_CHARACTERS)
        throw new DomainError('unavailable', 'Too many visitor updates are queued', {
          retryAfterSeconds: RETRY_SECONDS,
        });
      const one: QueuedActivity = { activity, characters: weight, answer: Promise.withResolvers<BeaconAnswer>() };
      const queue = queues.get(organizationId);
      if (queue) queue.push(one);
      else queues.set(organizationId, [one]);
      count += 1;
      characters += weight;
      begin();
      return one.answer.promise;
    },
    pendingCount: () => count + heartbeats.pendingCount(),
    flush: () => heartbeats.flush(),
    stop: async () => {
      stopped = true;
      await heartbeats.stop();
      for (const [organizationId, timer] of delays) {
        clearTimeout(timer);
        busy.delete(organizationId);
      }
      delays.clear();
      while (queues.size > 0 || working.size > 0) {
        begin();
        await Promise.all(working);
      }
    },
  };
};
