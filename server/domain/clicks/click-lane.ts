import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#server/storage/database.ts';
import { isDatabaseAway, isRetryable, isStatementTimeout } from '#server/storage/failures.ts';
import { type Click, type Hit, writeClicks } from './write-clicks.ts';

export interface ClickLane {
  /**
   * Takes it and writes it within a moment. Answers with a promise when so many wait that whoever brings one should wait as
   * well; that is over when there is room again, or when the database is away and waiting would help nobody.
   */
  add(hit: Hit): Promise<void> | undefined;
  /** All that was added before is written. Rejects when it cannot be now. */
  flush(): Promise<void>;
  waiting(): number;
  /** Writes what waits, as far as that is possible. */
  stop(): Promise<void>;
}

export interface ClickLaneParts {
  database: Pick<Database, 'transaction'>;
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** More came than can be remembered, or one could not be written at all. */
  onLost(count: number): void;
  mostWaiting?: number;
}

const MOST_PER_BATCH = 1_000;
/** With more than that unwritten, a click would wait longer than a killed process may forget. */
const MOST_AHEAD = 3_000;
/** While the database is away. */
const MOST_WAITING = 100_000;
/** Where much arrives, it is worth a moment to let more of it come together. */
const BUSY_FROM = 8;
const REST_MS = 60;
const RETRY_MS = 250;

const mayWorkLater = (error: unknown): boolean =>
  isDatabaseAway(error) || isStatementTimeout(error) || isRetryable(error);

/**
 * Clicks are answered before they are written: whatever arrives while a batch is written forms the next one. One batch at
 * a time, in the order of arrival. While the database is away they wait here, and the visitors do not.
 */
export const createClickLane = ({ database, log, onLost, mostWaiting = MOST_WAITING }: ClickLaneParts): ClickLane => {
  const queue: Click[] = [];
  let working = false;
  let attempt = Promise.withResolvers<void>();
  let hurry = new AbortController();
  let added = 0;
  let done = 0;
  let failure: unknown;
  let stopping = false;

  const write = (clicks: readonly Click[]): Promise<void> => database.transaction((tx) => writeClicks(tx, clicks));

  /** One that cannot be written must not take the others along. */
  const writeEach = async (batch: readonly Click[]): Promise<void> => {
    for (const click of batch)
      await write([click]).catch((error: unknown) => {
        if (mayWorkLater(error)) throw error;
        log.error({ err: error }, 'a click could not be written');
        onLost(1);
      });
  };

  const writeBatch = async (batch: readonly Click[]): Promise<void> => {
    try {
      await write(batch);
    } catch (error) {
      if (mayWorkLater(error)) throw error;
      await writeEach(batch);
    }
  };

  const rest = (ms: number): Promise<void> => delay(ms, undefined, { signal: hurry.signal }).catch(() => {});

  const settle = (error: unknown): void => {
    if (error && !failure) log.warn({ err: error, waiting: queue.length }, 'clicks wait for the database');
    failure = error;
    const { resolve } = attempt;
    attempt = Promise.withResolvers();
    resolve();
  };

  const work = async (): Promise<void> => {
    while (queue.length > 0 && !(stopping && failure)) {
      const batch = queue.slice(0, MOST_PER_BATCH);
      const error: unknown = await writeBatch(batch).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!error) {
        queue.splice(0, batch.length);
        done += batch.length;
      }
      settle(error);
      if (error) await rest(RETRY_MS);
      else if (batch.length >= BUSY_FROM && queue.length < MOST_PER_BATCH) await rest(REST_MS);
    }
    working = false;
  };

  const begin = (): void => {
    if (working) return;
    working = true;
    void work();
  };

  const waitForRoom = async (): Promise<void> => {
    while (queue.length > MOST_AHEAD && !failure) await attempt.promise;
  };

  const writeUpTo = async (target: number): Promise<void> => {
    while (done < target) {
      begin();
      hurry.abort();
      hurry = new AbortController();
      await attempt.promise;
      if (failure) throw failure;
    }
  };

  return {
    add: (hit) => {
      if (queue.length >= mostWaiting) {
        onLost(1);
        return undefined;
      }
      queue.push({ ...hit, id: randomUUID() });
      added += 1;
      begin();
      return queue.length > MOST_AHEAD && !failure ? waitForRoom() : undefined;
    },
    flush: () => writeUpTo(added),
    waiting: () => queue.length,
    stop: async () => {
      stopping = true;
      await writeUpTo(added).catch(() => onLost(queue.length));
    },
  };
};
