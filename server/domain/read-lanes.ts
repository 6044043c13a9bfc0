import type { Executor } from '#server/storage/executor.ts';
import { isDatabaseAway } from '#server/storage/failures.ts';

/**
 * A statement that answers several questions at once. It reads them by `json_to_recordset($1) as w(n int, …)`, and each of
 * its rows says by `n` which one it answers.
 */
export interface Batch {
  name: string;
  text: string;
}

export type Question = Record<string, unknown>;

export interface ReadLanes {
  read<Row>(batch: Batch, question: Question): Promise<Row[]>;
}

/** The part of an organization scope that a batched read uses. */
interface Reader {
  organizationId: string;
  executor: Executor;
  services: { executor: Executor; reads: ReadLanes };
}

interface Waiting {
  question: Question;
  resolve(rows: never[]): void;
  reject(error: unknown): void;
}

interface Lane {
  waiting: Waiting[];
  underWay: number;
}

const MAX_CONCURRENT_STATEMENTS = 3;
const MAX_PER_BATCH = 32;

const run = async <Row>(executor: Executor, batch: Batch, questions: Question[]): Promise<Row[][]> => {
  const values = [JSON.stringify(questions.map((question, n) => ({ n, ...question })))];
  const { rows } = await executor.query<Row & { n: number }>({ ...batch, values });
  const answers: Row[][] = questions.map(() => []);
  for (const row of rows) answers[row.n]!.push(row);
  return answers;
};

/**
 * Many ask the same kind of question at the same time, and what one asks costs PostgreSQL and us less than asking it.
 * A question is put at once; those that come while a few are under way wait and are put together.
 */
export const createReadLanes = (executor: Executor): ReadLanes => {
  const lanes = new Map<Batch, Lane>();

  const ask = async (batch: Batch, taken: Waiting[]): Promise<void> => {
    const questions = taken.map(({ question }) => question);
    try {
      const answers = await run<never>(executor, batch, questions);
      for (const [n, { resolve }] of taken.entries()) resolve(answers[n]!);
    } catch (error) {
      // One of them may be at fault, and it harms nobody but itself.
      if (taken.length > 1 && !isDatabaseAway(error)) for (const one of taken) await ask(batch, [one]);
      else for (const { reject } of taken) reject(error);
    }
  };

  const put = async (batch: Batch, lane: Lane): Promise<void> => {
    lane.underWay++;
    await ask(batch, lane.waiting.splice(0, MAX_PER_BATCH));
    lane.underWay--;
    if (lane.waiting.length > 0) void put(batch, lane);
  };

  return {
    read: <Row>(batch: Batch, question: Question) =>
      new Promise<Row[]>((resolve, reject) => {
        const lane = lanes.get(batch) ?? { waiting: [], underWay: 0 };
        lanes.set(batch, lane);
        lane.waiting.push({ question, resolve, reject });
        if (lane.underWay < MAX_CONCURRENT_STATEMENTS) void put(batch, lane);
      }),
  };
};

/** Together with others who ask now; inside a transaction alone, since it must see what the transaction wrote. */
export const readTogether = async <Row>(scope: Reader, batch: Batch, question: Question): Promise<Row[]> => {
  const { executor, organizationId, services } = scope;
  const asked = { ...question, organization_id: organizationId };
  if (executor === services.executor) return services.reads.read<Row>(batch, asked);
  return (await run<Row>(executor, batch, [asked]))[0]!;
};
