import { expect, it } from 'vitest';
import { readWindow } from './read-window.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const read = (from: string, to: string, timezone = 'Europe/Warsaw') => {
  const window = readWindow({ from, to }, { timezone, now });
  return [window.from, window.to].map((at) => new Date(at).toISOString());
};

it('reads dates as whole days in the organization’s time zone', () => {
  expect(read('2026-03-28', '2026-03-29')).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
});

it('accepts timestamps', () => {
  expect(read('2026-03-28T09:00:00+01:00', '2026-03-28T10:30Z')).toEqual([
    '2026-03-28T08:00:00.000Z',
    '2026-03-28T10:30:00.000Z',
  ]);
});

it('ends the window now if the end is in the future', () => {
  expect(read('2026-05-31', '2026-12-31')[1]).toBe('2026-06-01T12:00:00.000Z');
});

it('rejects empty windows and windows in the future', () => {
  expect(() => read('2026-03-29', '2026-03-28')).toThrow('must be before');
  expect(() => read('2026-06-02', '2026-06-03')).toThrow('is in the future');
});
