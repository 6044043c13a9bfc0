import { describe, expect, it } from 'vitest';
import { remember } from './remember.ts';

describe('remember', () => {
  it('asks once, and again only when there were too many others', () => {
    const asked: string[] = [];
    const lengthOf = remember(2, (text) => {
      asked.push(text);
      return text.length;
    });
    expect(['', 'a', '', 'a'].map(lengthOf)).toEqual([0, 1, 0, 1]);
    expect(asked).toEqual(['', 'a']);
    expect(['bb', 'bb', 'a'].map(lengthOf)).toEqual([2, 2, 1]);
    expect(asked).toEqual(['', 'a', 'bb', 'a']);
  });
});
