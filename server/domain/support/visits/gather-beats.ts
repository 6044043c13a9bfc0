import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { keepVisitsTracked, type TrackedSign } from '#server/storage/platform-visits.ts';
import type { Services } from '../../scope.ts';
import { isMereBeat, type Sighting, TRACKED_MS } from './beacons.ts';
import { signOf, silentSince } from './keep-tracked.ts';
import { browserOf } from './own-browsers.ts';

/**
 * Nothing is new of most visitors but that they are still there. Whoever was recognised a moment ago is answered at once, and
 * what all of them said is written together, whosever visitors they are.
 */
export interface Beats {
  /** Takes a beat of somebody who is known; says whether that is all there is to do. */
  take(organizationId: string, sighting: Sighting): boolean;
  /** What was just written of somebody: its next beats need no question. */
  remember(organizationId: string, sighting: Sighting): void;
  waiting(): number;
  /** Writes what waits. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** A page beats every 20 seconds and is believed for 45: this much later is soon enough, and one that is lost is no loss. */
const REST_MS = 1_000;
const MAX_CACHED = 50_000;
const MAX_QUEUED = 20_000;
const MAX_PER_STATEMENT = 1_000;

export const createBeats = ({ executor, clock }: Services, log: Logger): Beats => {
  /** When each browser was heard of last. */
  const known = new LRUCache<string, Date>({ max: MAX_CACHED });
  const waiting = new Map<string, TrackedSign>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  const keyOf = (organizationId: string, sighting: Sighting): string => `${organizationId} ${browserOf(sighting)}`;

  const write = async (batch: [string, TrackedSign][]): Promise<void> => {
    try {
      const signs = batch.map(([, sign]) => sign);
      const kept = await keepVisitsTracked(executor, signs, { now: clock.now(), silent: silentSince(clock.now()) });
      const ids = new Set(kept.map(({ organizationId, customerId }) => `${organizationId} ${customerId}`));
      // The next beat of anybody else is looked at closely.
      for (const [key, { organizationId, customerId }] of batch)
        if (!ids.has(`${organizationId} ${customerId}`)) known.delete(key);
    } catch (error) {
      log.warn({ err: error, visitors: batch.length }, 'beats of visitors were lost');
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
    take: (organizationId, sighting) => {
      const key = keyOf(organizationId, sighting);
      const seenAt = known.get(key);
      const isKnown = seenAt !== undefined && sighting.seenAt.getTime() - seenAt.getTime() < TRACKED_MS;
      if (stopped || !isKnown || sighting.left || sighting.looks || !isMereBeat(sighting)) {
        // What is written now says the same and more.
        waiting.delete(key);
        known.delete(key);
        return false;
      }
      if (waiting.size >= MAX_QUEUED) return false;
      known.set(key, sighting.seenAt);
      waiting.set(key, signOf(organizationId, sighting));
      timer ??= setTimeout(() => void flush(), REST_MS);
      return true;
    },
    remember: (organizationId, sighting) => {
      if (!sighting.left) known.set(keyOf(organizationId, sighting), sighting.seenAt);
    },
    waiting: () => waiting.size,
    flush,
    stop: () => {
      stopped = true;
      return flush();
    },
  };
};
