import { describe, expect, it } from 'vitest';
import type { Executor } from '#server/storage/executor.ts';
import { createReadLanes } from './read-lanes.ts';

const DOUBLE = { name: 'double', text: 'select' };

/** Answers when the test says so. */
const heldExecutor = () => {
  const asked: { questions: { n: number; value: number }[]; answer(): void; fail(error: Error): void }[] = [];
  const executor = {
    query: ({ values: [text] }) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ rows: never[] }>();
      const questions = JSON.parse(text as string) as { n: number; value: number }[];
      const rows = questions.toReversed().map(({ n, value }) => ({ n, doubled: value * 2 })) as never[];
      asked.push({ questions, answer: () => resolve({ rows }), fail: reject });
      return promise;
    },
  } as Executor;
  return { executor, asked };
};

describe('a read lane', () => {
  it('puts the first questions at once and those that come meanwhile together, each with its own answer', async () => {
    const { executor, asked } = heldExecutor();
    const lanes = createReadLanes(executor);
    const answers = Array.from({ length: 10 }, (_, value) => lanes.read(DOUBLE, { value }));
    expect(asked.map(({ questions }) => questions.length)).toEqual([1, 1, 1]);
    asked[0]!.answer();
    expect(await answers[0]).toEqual([{ n: 0, doubled: 0 }]);
    await expect.poll(() => asked.length).toBe(4);
    expect(asked[3]!.questions.map(({ value }) => value)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    for (const { answer } of asked) answer();
    const rows = (await Promise.all(answers)) as { doubled: number }[][];
    expect(rows.map(([row]) => row!.doubled)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  it('never puts more than 32 together', async () => {
    const { executor, asked } = heldExecutor();
    const lanes = createReadLanes(executor);
    const answers = Array.from({ length: 40 }, (_, value) => lanes.read(DOUBLE, { value }));
    for (let next = 0; next < 5; next++) {
      await expect.poll(() => asked.length).toBeGreaterThan(next);
      asked[next]!.answer();
    }
    await Promise.all(answers);
    expect(asked.map(({ questions }) => questions.length)).toEqual([1, 1, 1, 32, 5]);
  });

  it('puts each alone when they failed together: only the one at fault is refused', async () => {
    const { executor, asked } = heldExecutor();
    const lanes = createReadLanes(executor);
    const answers = Array.from({ length: 5 }, (_, value) => lanes.read(DOUBLE, { value }));
    const settled = Promise.allSettled(answers);
    for (let next = 0; next < 6; next++) {
      await expect.poll(() => asked.length).toBeGreaterThan(next);
      const { questions, fail, answer } = asked[next]!;
      if (questions.some(({ value }) => value === 4)) fail(new Error('at fault'));
      else answer();
    }
    expect((await settled).map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
  });

  it('refuses whoever asks while the database fails, and serves whoever comes next', async () => {
    const { executor, asked } = heldExecutor();
    const lanes = createReadLanes(executor);
    const failing = lanes.read(DOUBLE, { value: 1 });
    asked[0]!.fail(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    const next = lanes.read(DOUBLE, { value: 2 });
    asked[1]!.answer();
    expect(await next).toEqual([{ n: 0, doubled: 4 }]);
  });
});
