import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createShareNext } from './share-next.ts';

/** Answers are given by hand. */
const askByHand = () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const share = createShareNext<number>();
  const ask = (key = 'a') =>
    share(key, () => {
      const one = Promise.withResolvers<number>();
      asked.push(one);
      return one.promise;
    });
  return { asked, ask };
};

describe('questions asked together', () => {
  it('never get an answer that was begun before they were asked', async () => {
    const { asked, ask } = askByHand();
    const answers = [ask(), ask(), ask()];
    expect(asked).toHaveLength(1);
    asked[0]!.resolve(1);
    expect(await answers[0]).toBe(1);
    await turn();
    expect(asked).toHaveLength(2);
    const late = ask();
    asked[1]!.resolve(2);
    expect(await Promise.all(answers.slice(1))).toEqual([2, 2]);
    await turn();
    expect(asked).toHaveLength(3);
    asked[2]!.resolve(3);
    expect(await late).toBe(3);
  });

  it('go on after one that failed, and do not wait for others', async () => {
    const { asked, ask } = askByHand();
    const answers = [ask(), ask()];
    const other = ask('b');
    expect(asked).toHaveLength(2);
    asked[1]!.resolve(9);
    expect(await other).toBe(9);
    asked[0]!.reject(new Error('gone'));
    await expect(answers[0]).rejects.toThrow('gone');
    await turn();
    asked[2]!.resolve(5);
    expect(await answers[1]).toBe(5);
    const again = ask();
    asked[3]!.resolve(6);
    expect(await again).toBe(6);
  });
});
