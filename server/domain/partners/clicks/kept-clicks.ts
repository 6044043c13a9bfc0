import type { Database } from '#server/storage/database.ts';
import type { Executor } from '#server/storage/executor.ts';
import { type ClickBatch, readClickBatch } from './click-batch.ts';
import { mayWorkLater } from './may-work-later.ts';
import { createSteps } from './steps.ts';
import { countKeptClicks } from './write-clicks.ts';

/** Clicks that were put down, and are counted when there is time. */
export interface KeptClicks {
  /** Puts them down; from then on they are safe. */
  keep(batch: ClickBatch): Promise<void>;
  /** How many rows of them wait here. */
  waiting(): number;
  /** Counts those that wait now without a rest. Rejects when that cannot be. */
  drain(): Promise<void>;
  /** Takes over what somebody left behind who was killed. */
  adopt(): Promise<void>;
  stop(): Promise<void>;
}

export interface KeptClicksParts {
  database: Pick<Database, 'transaction' | 'query'>;
  now(): Date;
  log: { warn(details: object, message: string): void };
  /** For when they cannot be written together. */
  writeEach(batch: ClickBatch): Promise<void>;
  maxRows?: number | undefined;
}

const RETRY_MS = 250;
/** While clicks keep coming, counting leaves the processor to the redirects, unless much has gathered. */
const RESTS = 49;
const CROWDED_MS = 250;
/** With so many rows, a new one waits until another was counted; from half of it on, counting does not rest. */
const MAX_ROWS = 2_000;
/** Whoever put them down would have counted some by now. */
const LEFT_BEHIND_MS = 10_000;

const KEEP = 'insert into kept_clicks (id, kept_at, clicks) values ($1, $2, $3) on conflict (id) do nothing';
const LEFT_BEHIND = 'select k.id from kept_clicks k where k.kept_at <= $1 order by k.kept_at limit 1000';

const read = async (executor: Executor, id: string): Promise<ClickBatch | undefined> => {
  const text = 'select k.clicks from kept_clicks k where k.id = $1';
  const { rows } = await executor.query<{ clicks: string }>({ text, values: [id] });
  return rows[0] && readClickBatch(id, rows[0].clicks);
};

export const createKeptClicks = ({
  database,
  now,
  log,
  writeEach,
  maxRows = MAX_ROWS,
}: KeptClicksParts): KeptClicks => {
  const ids = new Set<string>();
  const steps = createSteps();
  let keptAt = Number.NEGATIVE_INFINITY;
  let working = false;
  let stopped = false;

  const count = async (id: string): Promise<void> => {
    try {
      await database.transaction((tx) => countKeptClicks(tx, id));
    } catch (error) {
      if (mayWorkLater(error)) throw error;
      const batch = await read(database, id);
      if (!batch) return;
      await writeEach(batch);
      await database.query({ text: 'delete from kept_clicks k where k.id = $1', values: [id] });
    }
  };

  const isCrowded = (): boolean => performance.now() - keptAt < CROWDED_MS && ids.size < maxRows / 2;

  const restAfter = async (took: number): Promise<void> => {
    const end = performance.now() + took * RESTS;
    while (isCrowded() && performance.now() < end && (await steps.rest(CROWDED_MS)));
  };

  /** It is tried again after the others: one that nobody can read holds up none. */
  const fail = (id: string, error: unknown): void => {
    ids.add(id);
    if (!steps.failure()) log.warn({ err: error, row: id }, 'kept clicks could not be counted');
  };

  const run = async (): Promise<void> => {
    for (let [id] = ids; id !== undefined && !stopped; [id] = ids) {
      const from = performance.now();
      const error: unknown = await count(id).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      ids.delete(id);
      if (error) fail(id, error);
      steps.settle(error);
      if (error) await steps.rest(RETRY_MS);
      else await restAfter(performance.now() - from);
    }
    working = false;
    steps.settle();
  };

  const begin = (): void => {
    if (working || stopped) return;
    working = true;
    void run();
  };

  const waitForRoom = async (): Promise<void> => {
    while (ids.size >= maxRows && !stopped && !steps.failure()) await steps.ended();
  };

  return {
    keep: async ({ id, text }) => {
      await waitForRoom();
      await database.query({ name: 'keep_clicks', text: KEEP, values: [id, now(), text] });
      keptAt = performance.now();
      ids.add(id);
      begin();
    },
    waiting: () => ids.size,
    drain: async () => {
      const last = [...ids].at(-1);
      while (last !== undefined && ids.has(last) && !stopped) {
        begin();
        await steps.hurry();
      }
    },
    adopt: async () => {
      const before = new Date(now().getTime() - LEFT_BEHIND_MS);
      const { rows } = await database.query<{ id: string }>({ text: LEFT_BEHIND, values: [before] });
      for (const { id } of rows) ids.add(id);
      begin();
    },
    stop: async () => {
      stopped = true;
      if (working) await steps.hurry().catch(() => {});
    },
  };
};
