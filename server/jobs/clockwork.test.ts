import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/start-app.ts';
import { createClockwork, type Pass } from './clockwork.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test[Symbol.asyncDispose]());

const create = (...runs: Pass['run'][]) => {
  const { database, services } = test.context;
  const passes = runs.map((run, number) => ({ name: `pass ${number}`, everySeconds: 1, run }));
  return createClockwork({ database, services, passes, log: pino({ level: 'silent' }) });
};
const organizationId = crypto.randomUUID();

describe('the clockwork', () => {
  it('does one pass after the other, and each thing although another failed', async () => {
    const done: unknown[] = [];
    await create(
      async () => {
        throw new Error('this pass is broken');
      },
      async (_, forEach) =>
        forEach(
          [1, 2, 3].map((number) => ({ organizationId, number })),
          async (scope, { number }) => {
            if (number === 2) throw new Error('this one is broken');
            done.push([scope.organizationId, scope.actor.kind, number]);
          },
        ),
    ).tick();
    expect(done).toEqual([
      [organizationId, 'system', 1],
      [organizationId, 'system', 3],
    ]);
  });

  it('runs in one process at a time', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let others = 0;
    const first = create(async () => {
      begin();
      await held;
    }).tick();
    await begun;
    const other = create(async () => void others++);
    await other.tick();
    expect(others).toBe(0);
    release();
    await first;
    await other.tick();
    expect(others).toBe(1);
  });

  it('begins nothing more once it is stopped', async () => {
    const done: number[] = [];
    const clockwork = create(
      async (_, forEach) =>
        forEach(
          [1, 2].map((number) => ({ organizationId, number })),
          async (_scope, { number }) => {
            done.push(number);
            await clockwork.stop();
          },
        ),
      async () => void done.push(3),
    );
    await clockwork.tick();
    expect(done).toEqual([1]);
  });
});
