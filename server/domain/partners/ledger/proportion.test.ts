import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentOf, proportion } from './proportion.ts';

const cents = fc.integer({ min: 0, max: 1_000_000_000_000 });

describe('a proportion', () => {
  it.each([
    [4900, 20, 980],
    [4999, 20, 1000],
    [10, 5, 1],
    [9, 5, 0],
    [1, 50, 1],
    [333, 33.33, 111],
    [10_000, 12.34, 1234],
    [0, 20, 0],
    [999_999_999_999, 100, 999_999_999_999],
  ])('percentOf(%i cents, %f %%) is %i', (amount, percent, expected) => {
    expect(percentOf(amount, percent)).toBe(expected);
  });

  it('proportion is monotonic, complete for the whole and zero for nothing', () => {
    fc.assert(
      fc.property(cents, cents, cents, cents, (amount, whole, one, other) => {
        fc.pre(whole > 0);
        const parts = [one % (whole + 1), other % (whole + 1)].sort((a, b) => a - b) as [number, number];
        expect(proportion(amount, whole, whole)).toBe(amount);
        expect(proportion(amount, 0, whole)).toBe(0);
        const [less, more] = parts.map((part) => proportion(amount, part, whole)) as [number, number];
        expect(less).toBeLessThanOrEqual(more);
        expect(more).toBeLessThanOrEqual(amount);
      }),
    );
  });
});
