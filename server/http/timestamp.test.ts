import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toTimestamp } from './timestamp.ts';

it('formats any time as ISO 8601 with six decimals', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(toTimestamp(date)).toBe(`${date.toISOString().slice(0, -1)}000Z`);
    }),
  );
});
