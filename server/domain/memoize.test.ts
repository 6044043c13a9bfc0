import { describe, expect, it } from 'vitest';
import { memoize } from './memoize.ts';

describe('memoize', () => {
  it('computes once per key until the cache is cleared because it is full', () => {
    const computed: string[] = [];
    const lengthOf = memoize(2, (text) => {
      computed.push(text);
      return text.length;
    });
    expect(['', 'a', '', 'a'].map(lengthOf)).toEqual([0, 1, 0, 1]);
    expect(computed).toEqual(['', 'a']);
    expect(['bb', 'bb', 'a'].map(lengthOf)).toEqual([2, 2, 1]);
    expect(computed).toEqual(['', 'a', 'bb', 'a']);
  });
});
