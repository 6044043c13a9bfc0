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
  const state = { asked: 0, fails: false, rows: [row] as object[] };
  const executor: Executor = {
    query: async () => {
      state.asked += 1;
      if (state.fails) throw new Error('away');
      return { rows: state.rows as never[] };
    },
  };
  return { ...createLinkFinder(executor), state };
};

describe('a link', () => {
  it('is looked up once, however many follow it at once', async () => {
    const { byCode, state } = openFinder();
    await Promise.all(Array.from({ length: 10 }, () => byCode('abc')));
    expect(await byCode('abc')).toEqual(row);
    expect(state.asked).toBe(1);
  });

  it('still leads on while the database is away, if it was followed before', async () => {
    const { byCode, state } = openFinder();
    await byCode('abc');
    state.fails = true;
    expect(await byCode('abc')).toEqual(row);
    await expect(byCode('new')).rejects.toThrow('away');
    state.fails = false;
    expect(await byCode('new')).toEqual(row);
  });

  it('that is unknown is asked for again: it may be there a moment later', async () => {
    const { byCode, state } = openFinder();
    state.rows = [];
    expect(await byCode('abc')).toBeUndefined();
    state.rows = [row];
    expect(await byCode('abc')).toEqual(row);
  });

  it.each(['', 'a b', '../x', 'a'.repeat(33), "'"])('is not looked for under %j', async (code) => {
    const { byCode, state } = openFinder();
    expect(await byCode(code)).toBeUndefined();
    expect(state.asked).toBe(0);
  });

  it.each(['', '0', '-1', '1.5', '1e3', ' 1', '1'.repeat(16), 'x'])(
    'is not looked for with the partner %j',
    async (partnerId) => {
      const { byMarks, state } = openFinder();
      expect(await byMarks({ partnerId, slug: 'pp_x', product: 'mainchat' })).toBeUndefined();
      expect(state.asked).toBe(0);
    },
  );
});
