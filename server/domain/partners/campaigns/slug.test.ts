import { describe, expect, it } from 'vitest';
import { numberedSlug, toSlug } from './slug.ts';

describe('slugs', () => {
  it.each([
    ['Summer sale', 'pp_summer-sale'],
    ['  Été à Łódź!  ', 'pp_ete-a-odz'],
    ['100 % Spaß & more', 'pp_100-spa-more'],
    ['夏のセール', 'pp_campaign'],
    ['-----', 'pp_campaign'],
    ['ﬁve', 'pp_five'],
    ['x'.repeat(100), `pp_${'x'.repeat(60)}`],
    [`${'x'.repeat(59)} y`, `pp_${'x'.repeat(59)}`],
  ])('of %s is %s', (name, slug) => expect(toSlug(name)).toBe(slug));

  it('a taken slug gets the first free number', () => {
    expect(numberedSlug('pp_a', new Set())).toBe('pp_a');
    expect(numberedSlug('pp_a', new Set(['pp_a']))).toBe('pp_a-2');
    expect(numberedSlug('pp_a', new Set(['pp_a', 'pp_a-2', 'pp_a-4']))).toBe('pp_a-3');
  });
});
