import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '#server/storage/database.ts';
import { mayWorkLater } from './may-work-later.ts';
import { createSteps } from './steps.ts';
import { countKeptClicks, joinTexts } from './write-clicks.ts';

/** Clicks that were put down, and are counted when there is time. */
export interface KeptClicks {
  /** Puts them down; from then on they are safe. */
  keep(texts: readonly string[]): Promise<void>;
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
  /** For when they cannot be written together. */
  writeEach(texts: readonly string[]): Promise<void>;
  mostRows?: number | undefined;
}

const RETRY_MS = 250;
/** Clicks keep coming: counting leaves most of the processor to the redirects, unless much has gathered. */
const RESTS = 9;
const CROWDED_MS = 250;
/** With so many rows, a new one waits until another was counted; from half of it on, counting does not rest. */
const MOST_ROWS = 2_000;
/** Whoever put them down would have counted some by now. */
const LEFT_BEHIND_MS = 10_000;

const KEEP = 'insert into kept_clicks (id, kept_at, clicks) values ($1, $2, $3)';
const LEFT_BEHIND = 'select k.id from kept_clicks k where k.kept_at <= $1 order by k.kept_at limit 1000';

const readTexts = async (executor: Executor, id: string): Promise<string[]> => {
  const text = 'select k.clicks from kept_clicks k where k.id = $1';
  const { rows } = await executor.query<{ clicks: string }>({ text, values: [id] });
  return rows.flatMap(({ clicks }) => (JSON.parse(clicks) as unknown[]).map((click) => JSON.stringify(click)));
};

export const createKeptClicks = ({ database, now, writeEach, mostRows = MOST_ROWS }: KeptClicksParts): KeptClicks => {
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
      await writeEach(await readTexts(database, id));
      await database.query({ text: 'delete from kept_clicks k where k.id = $1', values: [id] });
    }
  };

  const isCrowded = (): boolean => performance.now() - keptAt < CROWDED_MS && ids.size < mostRows / 2;

  const run = async (): Promise<void> => {
    for (let [id] = ids; id !== undefined && !stopped; [id] = ids) {
      const from = performance.now();
      const error: unknown = await count(id).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!error) ids.delete(id);
      steps.settle(error);
      if (error) await steps.rest(RETRY_MS);
      else if (isCrowded()) await steps.rest((performance.now() - from) * RESTS);
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
    while (ids.size >= mostRows && !stopped && !steps.failure()) await steps.ended();
  };

  return {
    keep: async (texts) => {
      await waitForRoom();
      const id = randomUUID();
      await database.query({ name: 'keep_clicks', text: KEEP, values: [id, now(), joinTexts(texts)] });
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
