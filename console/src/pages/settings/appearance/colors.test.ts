import { describe, expect, it } from 'vitest';
import { isColor, textColorOn } from './colors.ts';

describe('widget color', () => {
  it('gets readable text', () => {
    expect(textColorOn('#0b6bcb')).toBe('#ffffff');
    expect(textColorOn('#000000')).toBe('#ffffff');
    expect(textColorOn('#ffffff')).toBe('#000000');
    expect(textColorOn('#ffd400')).toBe('#000000');
  });

  it('must be a six-digit hex code', () => {
    expect(isColor('#0b6BCB')).toBe(true);
    expect(['#0b6', 'red', '#0b6bcbff', ''].filter(isColor)).toEqual([]);
  });
});
