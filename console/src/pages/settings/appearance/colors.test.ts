import { describe, expect, it } from 'vitest';
import { isColor } from './colors.ts';

describe('widget color', () => {
  it('must be a six-digit hex code', () => {
    expect(isColor('#0b6BCB')).toBe(true);
    expect(['#0b6', 'red', '#0b6bcbff', ''].filter(isColor)).toEqual([]);
  });
});
