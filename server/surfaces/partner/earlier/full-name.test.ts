import { describe, expect, it } from 'vitest';
import { joinName, splitName } from './full-name.ts';

const current = { firstName: 'Paula', lastName: 'van Dyk' };

describe('a full name', () => {
  it.each([
    ['Petra Dyk', 'Petra', 'Dyk'],
    ['  Petra   Maria\tDyk ', 'Petra Maria', 'Dyk'],
    ['Madonna', 'Madonna', ''],
  ])('%j becomes %j and %j', (fullName, firstName, lastName) =>
    expect(splitName(fullName, current)).toEqual({ firstName, lastName }),
  );

  it('an unchanged full name keeps its parts', () => {
    expect(splitName(joinName(current), current)).toEqual(current);
    const single = { firstName: 'Madonna', lastName: '' };
    expect(splitName(joinName(single), single)).toEqual(single);
  });
});
