import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCoalescer } from './coalesce.ts';

/** Calls that the test completes manually. */
const manualCalls = () => {
  const calls: PromiseWithResolvers<number>[] = [];
  const share = createCoalescer<number>();
  const call = (key = 'a') =>
    share(key, () => {
      const one = Promise.withResolvers<number>();
      calls.push(one);
      return one.promise;
    });
  return { calls, call };
};

describe('coalesced calls', () => {
  it('never share a call that started before they arrived', async () => {
    const { calls, call } = manualCalls();
    const results = [call(), call(), call()];
    expect(calls).toHaveLength(1);
    calls[0]!.resolve(1);
    expect(await results[0]).toBe(1);
    await turn();
    expect(calls).toHaveLength(2);
    const late = call();
    calls[1]!.resolve(2);
    expect(await Promise.all(results.slice(1))).toEqual([2, 2]);
    await turn();
    expect(calls).toHaveLength(3);
    calls[2]!.resolve(3);
    expect(await late).toBe(3);
  });

  it('continue after a failure and do not wait for other keys', async () => {
    const { calls, call } = manualCalls();
    const results = [call(), call()];
    const other = call('b');
    expect(calls).toHaveLength(2);
    calls[1]!.resolve(9);
    expect(await other).toBe(9);
    calls[0]!.reject(new Error('gone'));
    await expect(results[0]).rejects.toThrow('gone');
    await turn();
    calls[2]!.resolve(5);
    expect(await results[1]).toBe(5);
    const again = call();
    calls[3]!.resolve(6);
    expect(await again).toBe(6);
  });
});
