import { describe, expect, it } from 'vitest';
import {
  matchesQuery,
  noteWords,
  ownWords,
  readQuery,
  splitWords,
  toTerms,
  toTsquery,
  toTsqueryWithNotes,
} from './words.ts';

const ORGANIZATION = '0a1b2c3d-0000-4000-8000-000000000000';

describe('words', () => {
  it('are runs of letters and digits, ignoring case, width and composition', () => {
    expect(splitWords('Is it 100% COTTON_wool? ｃｏｔｔｏｎ')).toEqual(['is', 'it', '100', 'cotton', 'wool']);
    expect(splitWords('Zoe\u0308 ZOË')).toEqual(['zoë']);
    expect(splitWords('carla@home.test')).toEqual(['carla', 'home', 'test']);
    expect(splitWords('東京へ')).toEqual(['東', '京', 'へ']);
    expect(splitWords("' | & ! \\ :*")).toEqual([]);
    expect(splitWords('x'.repeat(5000))[0]).toHaveLength(100);
  });

  it('must all occur; the last one may be a prefix unless it is short or followed by another character', () => {
    expect(matchesQuery(readQuery('wool cott'), 'Cotton wool')).toBe(true);
    expect(matchesQuery(readQuery('cott wool'), 'Cotton wool')).toBe(false);
    expect(matchesQuery(readQuery('cott!'), 'Cotton wool')).toBe(false);
    expect(matchesQuery(readQuery('co'), 'Cotton wool')).toBe(false);
    expect(matchesQuery(readQuery('?!'), 'Cotton wool')).toBe(false);
  });

  it('become a tsquery over words of one organization without other operators', () => {
    expect(toTsquery(ORGANIZATION, readQuery("it's a test"))).toBe(
      "'0a1b2c3dit' & '0a1b2c3ds' & '0a1b2c3da' & '0a1b2c3dtest':*",
    );
    expect(toTsquery(ORGANIZATION, readQuery('!'))).toBeUndefined();
    expect(toTerms(ORGANIZATION, readQuery("it's a test"))).toHaveLength(2);
  });

  it('of notes are stored separately and searched only on request', () => {
    expect(ownWords(ORGANIZATION, 'Cotton')).toEqual(['0a1b2c3dcotton']);
    expect(noteWords(ORGANIZATION, 'Cotton')).toEqual(['0a1b2c3d-cotton']);
    expect(toTsqueryWithNotes(ORGANIZATION, readQuery('a cotton'))).toBe(
      "('0a1b2c3da' | '0a1b2c3d-a') & ('0a1b2c3dcotton':* | '0a1b2c3d-cotton':*)",
    );
    expect(toTsqueryWithNotes(ORGANIZATION, readQuery('!'))).toBeUndefined();
  });
});
