import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seek } from './seek.ts';

describe('seeking a part', () => {
  it('finds what the built-in search finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '👟', '.'), maxLength: 20 });
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '👟', '.'), maxLength: 5 });
    fc.assert(
      fc.property(text, part, (whole, sought) => {
        expect(seek(sought)(whole)).toBe(whole.includes(sought));
      }),
      { numRuns: 2000 },
    );
  });

  it('is not slowed down by texts made for it', () => {
    const found = seek(`${'a'.repeat(1000)}b${'a'.repeat(1000)}`);
    const texts = Array.from({ length: 1000 }, (_, index) => 'a'.repeat(4000) + index);
    expect(texts.some(found)).toBe(false);
  });
});
