import { describe, expect, it } from 'vitest';
import { contrastColor } from './contrast-color.ts';

const luminance = (color: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

describe('contrastColor', () => {
  it('is readable on every background', () => {
    for (let red = 0; red < 256; red += 15)
      for (let green = 0; green < 256; green += 15)
        for (let blue = 0; blue < 256; blue += 15) {
          const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
          const [dark, bright] = [luminance(color), contrastColor(color) === '#fff' ? 1 : 0].toSorted((a, b) => a - b);
          expect([color, (bright! + 0.05) / (dark! + 0.05) >= 4.5]).toEqual([color, true]);
        }
  });
});
