import type { Logger } from 'pino';
import { isDatabaseAway } from '#server/storage/failures.ts';
import { DomainError } from '../../errors.ts';
import { openOrganizationScope, type Services } from '../../scope.ts';
import { type Beacon, type BeaconAnswer, mergeSightings, type Sighting, toSighting } from './beacons.ts';
import { createBeats } from './gather-beats.ts';
import { browserOf } from './own-browsers.ts';
import { trackVisitors } from './track-visitors.ts';

export interface Tracker {
  /**
   * Resolves when it is written down, or at once when nothing is new of somebody who is known. Refuses when there is more to
   * write than is healthy to remember.
   */
  track(organizationId: string, beacon: Beacon): Promise<BeaconAnswer>;
  /** How much waits to be written. */
  waiting(): number;
  /** Writes what was answered already; tests call this instead of waiting. */
  flush(): Promise<void>;
  /** Writes what waits, and takes no more. */
  stop(): Promise<void>;
}

interface Waiting {
  sighting: Sighting;
  letters: number;
  answer: PromiseWithResolvers<BeaconAnswer>;
}

export interface TrackerParts {
  services: Services;
  log: Logger;
  maxWaiting?: number;
}

const MAX_QUEUED = 20_000;
const MAX_LETTERS = 16 * 1024 * 1024;
const MAX_PER_BATCH = 500;
/** Most connections are for those who wait for an answer. */
const AT_ONCE = 2;
/** Where much arrives, it is worth a moment to let more of it come together: too short for a person to notice. */
const BUSY_FROM = 8;
const REST_MS = 20;
const RETRY_SECONDS = 5;

const lettersOf = ({ page, referrer = '', variables = {}, goals = [] }: Beacon): number =>
  500 +
  page.url.length +
  (page.title?.length ?? 0) +
  referrer.length +
  goals.length * 500 +
  Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0);

/** Several beacons of one browser are written as one. */
const joinByBrowser = (batch: Waiting[]): Sighting[] => {
  const joined = new Map<string, Sighting>();
  for (const { sighting } of batch) {
    const earlier = joined.get(browserOf(sighting));
    joined.set(browserOf(sighting), earlier ? mergeSightings(earlier, sighting) : sighting);
  }
  return [...joined.values()];
};

/**
 * Collects what pages tell and writes it in batches. Mere beats wait for a second; of all else, whatever arrives while an
 * organization's batch is written forms its next one. Two organizations at a time, each in its turn, so that a busy one keeps nobody waiting for long.
 */
export const createTracker = ({ services, log, maxWaiting = MAX_QUEUED }: TrackerParts): Tracker => {
  const beats = createBeats(services, log);
  const queues = new Map<string, Waiting[]>();
  const occupied = new Set<string>();
  const resting = new Map<string, NodeJS.Timeout>();
  const working = new Set<Promise<void>>();
  let count = 0;
  let letters = 0;
  let stopped = false;

  const takeBatch = (): { organizationId: string; batch: Waiting[] } | undefined => {
    for (const [organizationId, queue] of queues) {
      if (occupied.has(organizationId)) continue;
      const batch = queue.splice(0, MAX_PER_BATCH);
      queues.delete(organizationId);
      // To the end of the row: others come first.
      if (queue.length > 0) queues.set(organizationId, queue);
      return { organizationId, batch };
    }
    return undefined;
  };

  const write = async (organizationId: string, batch: Waiting[]): Promise<void> => {
    const scope = openOrganizationScope(services, { kind: 'system' }, organizationId);
    try {
      const answers = await trackVisitors(scope, joinByBrowser(batch));
      for (const { sighting, answer } of batch) {
        const said = answers.get(browserOf(sighting))!;
        if (said.recognised) beats.remember(organizationId, sighting);
        answer.resolve(said);
      }
    } catch (error) {
      if (batch.length > 1 && !stopped && !isDatabaseAway(error)) {
        log.warn({ err: error }, 'visitors could not be written together');
        // One that cannot be written must not take the others along.
        for (const one of batch) await write(organizationId, [one]);
      } else for (const { answer } of batch) answer.reject(error);
    }
  };

  const release = (organizationId: string, size: number): void => {
    const free = (): void => {
      resting.delete(organizationId);
      occupied.delete(organizationId);
      begin();
    };
    if (size >= BUSY_FROM && !stopped) resting.set(organizationId, setTimeout(free, REST_MS));
    else free();
  };

  const work = async (): Promise<void> => {
    for (let job = takeBatch(); job; job = takeBatch()) {
      const { organizationId, batch } = job;
      occupied.add(organizationId);
      await write(organizationId, batch);
      count -= batch.length;
      letters -= batch.reduce((sum, one) => sum + one.letters, 0);
      release(organizationId, batch.length);
    }
  };

  const begin = (): void => {
    if (working.size >= AT_ONCE || queues.size === 0) return;
    const run = work().finally(() => working.delete(run));
    working.add(run);
  };

  return {
    track: (organizationId, beacon) => {
      const sighting = toSighting(beacon, services.secrets.hash(beacon.secret), services.clock.now());
      if (beats.take(organizationId, sighting)) return Promise.resolve({ recognised: true });
      const weight = lettersOf(beacon);
      if (stopped || count >= maxWaiting || letters + weight > MAX_LETTERS)
        throw new DomainError('unavailable', 'Too many visitors at once', { retryAfterSeconds: RETRY_SECONDS });
      const one: Waiting = { sighting, letters: weight, answer: Promise.withResolvers<BeaconAnswer>() };
      const queue = queues.get(organizationId);
      if (queue) queue.push(one);
      else queues.set(organizationId, [one]);
      count += 1;
      letters += weight;
      begin();
      return one.answer.promise;
    },
    waiting: () => count + beats.waiting(),
    flush: () => beats.flush(),
    stop: async () => {
      stopped = true;
      await beats.stop();
      for (const [organizationId, timer] of resting) {
        clearTimeout(timer);
        occupied.delete(organizationId);
      }
      resting.clear();
      while (queues.size > 0 || working.size > 0) {
        begin();
        await Promise.all(working);
      }
    },
  };
};
