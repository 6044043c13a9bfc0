import type { Database } from '#server/storage/database.ts';
import type { Clock } from '../../clock.ts';
import { type ClickBatch, type Hit, type OpenClickBatch, openClickBatch } from './click-batch.ts';
import { isTemporaryFailure } from './is-temporary-failure.ts';
import { createLoopSignals } from './loop-signals.ts';
import { createStoredBatches } from './stored-batches.ts';
import { writeClicks } from './write-clicks.ts';

export interface ClickLane {
  /**
   * Buffers a click, which is written shortly after. Returns a promise if the buffer is full: it resolves when there is room
   * again, or when the database is unavailable, since waiting would not help then.
   */
  add(hit: Hit): Promise<void> | undefined;
  /** Writes and counts everything added before. Rejects if that fails. */
  flush(): Promise<void>;
  /** The number of clicks that are not written yet. */
  waiting(): number;
  /** Counts stored batches of crashed processes. */
  adopt(): Promise<void>;
  /** Writes what is buffered, as far as possible. */
  stop(): Promise<void>;
}

export interface ClickLaneParts {
  database: Pick<Database, 'transaction' | 'query'>;
  clock: Clock;
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Clicks were lost because the buffer was full or a click could not be written. */
  onLost(count: number): void;
  maxWaiting?: number | undefined;
  maxRows?: number | undefined;
}

const MAX_PER_BATCH = 4_000;
/** Batches of this size are stored in one row and counted later. */
const MANY = 100;
/** With more unwritten clicks than this, new ones wait, which bounds what a killed process loses. */
const MAX_AHEAD = 10_000;
/** The limit of the buffer while the database is unavailable. */
const MAX_QUEUED = 100_000;
/** From this batch size on, the writer pauses to collect larger batches. */
const BUSY_FROM = 8;
const REST_MS = 50;
const RETRY_MS = 250;

/**
 * Redirects are answered before their clicks are written: clicks that arrive during a write form the next batch, one batch at a
 * time in the order of arrival. Small batches are counted immediately; large ones are stored in one row, which is fast, and
 * counted later. While the database is unavailable, clicks are buffered in memory and visitors do not wait.
 */
export const createClickLane = ({
  database,
  clock,
  log,
  onLost,
  maxWaiting = MAX_QUEUED,
  maxRows,
}: ClickLaneParts): ClickLane => {
  const queue: OpenClickBatch[] = [];
  /** The batch being written. It is kept unchanged until the write succeeded. */
  let batch: ClickBatch | undefined;
  const loop = createLoopSignals();
  let working = false;
  let added = 0;
  let done = 0;

  /** The last batch with room. */
  const openBatch = (): OpenClickBatch => {
    const last = queue.at(-1);
    if (last && last.size() < MAX_PER_BATCH) return last;
    const next = openClickBatch();
    queue.push(next);
    return next;
  };

  const write = (one: ClickBatch, ordinal?: number): Promise<void> =>
    database.transaction((tx) => writeClicks(tx, one, ordinal));

  /** Writes the clicks one by one, so that one that fails does not affect the others. */
  const writeEach = async (one: ClickBatch): Promise<void> => {
    for (let ordinal = 1; ordinal <= one.size; ordinal++)
      await write(one, ordinal).catch((error: unknown) => {
        if (isTemporaryFailure(error)) throw error;
        log.error({ err: error }, 'click could not be written');
        onLost(1);
      });
  };

  const stored = createStoredBatches({ database, now: () => clock.now(), log, writeEach, maxRows });

  const waiting = (): number => added - done;

  const writeBatch = async (one: ClickBatch): Promise<void> => {
    if (one.size >= MANY || stored.waiting() > 0) return stored.store(one);
    try {
      await write(one);
    } catch (error) {
      if (isTemporaryFailure(error)) throw error;
      await writeEach(one);
    }
  };

  const settle = (error: unknown): void => {
    if (error && !loop.lastError())
      log.warn({ err: error, waiting: waiting() }, 'clicks buffered: database unavailable');
    loop.endIteration(error);
  };

  const run = async (): Promise<void> => {
    while (waiting() > 0) {
      batch ??= queue.shift()!.close();
      const { size } = batch;
      const error: unknown = await writeBatch(batch).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!error) {
        batch = undefined;
        done += size;
      }
      settle(error);
      if (error) await loop.pause(RETRY_MS);
      else if (size >= BUSY_FROM && queue.length < 2) await loop.pause(REST_MS);
    }
    working = false;
  };

  const begin = (): void => {
    if (working) return;
    working = true;
    void run();
  };

  const waitForRoom = async (): Promise<void> => {
    while (waiting() > MAX_AHEAD && !loop.lastError()) await loop.nextIteration();
  };

  const writeUpTo = async (target: number): Promise<void> => {
    while (done < target) {
      begin();
      await loop.runNow();
    }
  };

  return {
    add: (hit) => {
      if (waiting() >= maxWaiting) {
        onLost(1);
        return undefined;
      }
      openBatch().add(hit);
      added += 1;
      begin();
      return waiting() > MAX_AHEAD && !loop.lastError() ? waitForRoom() : undefined;
    },
    flush: async () => {
      await writeUpTo(added);
      await stored.drain();
    },
    waiting,
    adopt: () => stored.adopt(),
    stop: async () => {
      await writeUpTo(added).catch(() => {
        onLost(waiting());
        queue.length = 0;
        batch = undefined;
        done = added;
      });
      await stored.stop();
    },
  };
};
