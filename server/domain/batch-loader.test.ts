import { describe, expect, it } from 'vitest';
import type { Executor } from '#server/storage/executor.ts';
import { createBatchLoader } from './batch-loader.ts';

const DOUBLE = { name: 'double', text: 'select' };

/** An executor whose queries are answered by the test. */
const manualExecutor = () => {
  const queries: { keys: { n: number; value: number }[]; answer(): void; fail(error: Error): void }[] = [];
  const executor = {
    query: ({ values: [text] }) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ rows: never[] }>();
      const keys = JSON.parse(text as string) as { n: number; value: number }[];
      const rows = keys.toReversed().map(({ n, value }) => ({ n, doubled: value * 2 })) as never[];
      queries.push({ keys, answer: () => resolve({ rows }), fail: reject });
      return promise;
    },
  } as Executor;
  return { executor, queries };
};

describe('batch loader', () => {
  it('runs the first reads immediately and combines later ones, each with its own rows', async () => {
    const { executor, queries } = manualExecutor();
    const loader = createBatchLoader(executor);
    const results = Array.from({ length: 10 }, (_, value) => loader.load(DOUBLE, { value }));
    expect(queries.map(({ keys }) => keys.length)).toEqual([1, 1, 1]);
    queries[0]!.answer();
    expect(await results[0]).toEqual([{ n: 0, doubled: 0 }]);
    await expect.poll(() => queries.length).toBe(4);
    expect(queries[3]!.keys.map(({ value }) => value)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    for (const { answer } of queries) answer();
    const rows = (await Promise.all(results)) as { doubled: number }[][];
    expect(rows.map(([row]) => row!.doubled)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  it('combines at most 32 reads', async () => {
    const { executor, queries } = manualExecutor();
    const loader = createBatchLoader(executor);
    const results = Array.from({ length: 40 }, (_, value) => loader.load(DOUBLE, { value }));
    for (let next = 0; next < 5; next++) {
      await expect.poll(() => queries.length).toBeGreaterThan(next);
      queries[next]!.answer();
    }
    await Promise.all(results);
    expect(queries.map(({ keys }) => keys.length)).toEqual([1, 1, 1, 32, 5]);
  });

  it('retries a failed batch one by one, so that only the faulty read fails', async () => {
    const { executor, queries } = manualExecutor();
    const loader = createBatchLoader(executor);
    const results = Array.from({ length: 5 }, (_, value) => loader.load(DOUBLE, { value }));
    const settled = Promise.allSettled(results);
    for (let next = 0; next < 6; next++) {
      await expect.poll(() => queries.length).toBeGreaterThan(next);
      const { keys, fail, answer } = queries[next]!;
      if (keys.some(({ value }) => value === 4)) fail(new Error('at fault'));
      else answer();
    }
    expect((await settled).map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
  });

  it('fails reads while the database fails and recovers afterwards', async () => {
    const { executor, queries } = manualExecutor();
    const loader = createBatchLoader(executor);
    const failing = loader.load(DOUBLE, { value: 1 });
    queries[0]!.fail(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    const next = loader.load(DOUBLE, { value: 2 });
    queries[1]!.answer();
    expect(await next).toEqual([{ n: 0, doubled: 4 }]);
  });
});
