import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSubstringSearch } from './create-substring-search.ts';

describe('createSubstringSearch', () => {
  it('agrees with String.includes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '👟', '.'), maxLength: 20 });
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '👟', '.'), maxLength: 5 });
    fc.assert(
      fc.property(text, part, (whole, sought) => {
        expect(createSubstringSearch(sought)(whole)).toBe(whole.includes(sought));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes linear time for adversarial texts', () => {
    const found = createSubstringSearch(`${'a'.repeat(1000)}b${'a'.repeat(1000)}`);
    const texts = Array.from({ length: 1000 }, (_, index) => 'a'.repeat(4000) + index);
    expect(texts.some(found)).toBe(false);
  });
});
