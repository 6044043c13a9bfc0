import { describe, expect, it } from 'vitest';
import { inkOn, isColour } from './colours.ts';

describe('the colour of the widget', () => {
  it('has letters on it that can be read', () => {
    expect(inkOn('#0b6bcb')).toBe('#ffffff');
    expect(inkOn('#000000')).toBe('#ffffff');
    expect(inkOn('#ffffff')).toBe('#000000');
    expect(inkOn('#ffd400')).toBe('#000000');
  });

  it('is written in six digits', () => {
    expect(isColour('#0b6BCB')).toBe(true);
    expect(['#0b6', 'red', '#0b6bcbff', ''].filter(isColour)).toEqual([]);
  });
});
