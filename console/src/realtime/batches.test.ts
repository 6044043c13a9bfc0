import { afterEach, expect, it, vi } from 'vitest';
import { createBatches } from './batches.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('delivers everything before a frame in one batch, once', () => {
  const frames: (() => void)[] = [];
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const handed: number[][] = [];
  const { add } = createBatches<number>((batch) => handed.push(batch));
  add(1);
  add(2);
  expect(handed).toEqual([]);
  for (const frame of frames.splice(0)) frame();
  vi.runAllTimers();
  expect(handed).toEqual([[1, 2]]);
});

it('does not wait for frames of a background page', () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const handed: number[][] = [];
  const { add } = createBatches<number>((batch) => handed.push(batch));
  add(1);
  add(2);
  vi.runAllTimers();
  add(3);
  vi.runAllTimers();
  expect(handed).toEqual([[1, 2], [3]]);
});
