import { expect, it } from 'vitest';
import { createClosing } from './closing.ts';

const SOON_MS = 20;
const never = new Promise<void>(() => {});

it('closes each resource once, in reverse order', async () => {
  const closed: string[] = [];
  const closing = createClosing(1_000);
  for (const name of ['first', 'second', 'third']) closing.add(name, () => closed.push(name));
  await closing.closeAll();
  await closing.closeAll();
  expect(closed).toEqual(['third', 'second', 'first']);
});

it('closes the others when one fails and another hangs, and names both', async () => {
  const closed: string[] = [];
  const closing = createClosing(1_000);
  closing.add('database', () => closed.push('database'));
  closing.add('sockets', () => never, SOON_MS);
  closing.add('mail', () => {
    throw new Error('refused');
  });
  await expect(closing.closeAll()).rejects.toThrow(
    `Closing failed: mail: refused; sockets: timed out after ${SOON_MS} ms`,
  );
  expect(closed).toEqual(['database']);
});

it('starts every step even after the time limit', async () => {
  const begun: string[] = [];
  const closing = createClosing(SOON_MS);
  for (const name of ['one', 'two']) {
    closing.add(name, () => {
      begun.push(name);
      return never;
    });
  }
  await expect(closing.closeAll()).rejects.toThrow(/two: .*; one: /);
  expect(begun).toEqual(['two', 'one']);
});
