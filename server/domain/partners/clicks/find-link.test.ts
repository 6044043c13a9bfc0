import { describe, expect, it } from 'vitest';
import type { Executor } from '#server/storage/executor.ts';
import { createLinkFinder } from './find-link.ts';

const row = {
  partnerId: 1,
  campaignId: 2,
  product: 'mainchat',
  slug: 'pp_x',
  landingUrl: null,
  trialDays: 14,
  offer: null,
};

const openFinder = () => {
  const state = { lookups: 0, fails: false, rows: [row] as object[] };
  const executor: Executor = {
    query: async () => {
      state.lookups += 1;
      if (state.fails) throw new Error('away');
      return { rows: state.rows as never[] };
    },
  };
  return { ...createLinkFinder(executor), state };
};

describe('a link', () => {
  it('a link is looked up once for concurrent requests', async () => {
    const { byCode, state } = openFinder();
    await Promise.all(Array.from({ length: 10 }, () => byCode('abc')));
    expect(await byCode('abc')).toEqual(row);
    expect(state.lookups).toBe(1);
  });

  it('a cached link works while the database is unavailable', async () => {
    const { byCode, state } = openFinder();
    await byCode('abc');
    state.fails = true;
    expect(await byCode('abc')).toEqual(row);
    await expect(byCode('new')).rejects.toThrow('away');
    state.fails = false;
    expect(await byCode('new')).toEqual(row);
  });

  it('an unknown link is looked up again on the next request', async () => {
    const { byCode, state } = openFinder();
    state.rows = [];
    expect(await byCode('abc')).toBeUndefined();
    state.rows = [row];
    expect(await byCode('abc')).toEqual(row);
  });

  it.each(['', 'a b', '../x', 'a'.repeat(33), "'"])('the invalid code %j is not looked up', async (code) => {
    const { byCode, state } = openFinder();
    expect(await byCode(code)).toBeUndefined();
    expect(state.lookups).toBe(0);
  });

  it.each(['', '0', '-1', '1.5', '1e3', ' 1', '1'.repeat(16), 'x'])(
    'a link with the invalid partner id %j is not looked up',
    async (partnerId) => {
      const { byParameters, state } = openFinder();
      expect(await byParameters({ partnerId, slug: 'pp_x', product: 'mainchat' })).toBeUndefined();
      expect(state.lookups).toBe(0);
    },
  );
});
