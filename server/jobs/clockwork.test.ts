import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DomainError } from '#server/domain/errors.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { type ClockworkTools, createClockwork, type Pass } from './clockwork.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test[Symbol.asyncDispose]());

const createWith = (
  passes: Pass[],
  { log = pino({ level: 'silent' }), count = (): void => {} }: Partial<ClockworkTools> = {},
) => {
  const { database, services, projections } = test.context;
  return createClockwork({ database, services, projections, passes, log, count });
};
const create = (...runs: Pass['run'][]) =>
  createWith(runs.map((run, number) => ({ name: `pass ${number}`, everySeconds: 1, run })));
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

  it('notes who was overtaken, and counts what became of each', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line) => lines.push(line) });
    const counted: string[][] = [];
    const count = (...one: string[]): void => void counted.push(one);
    const run: Pass['run'] = (_, forEach) =>
      forEach(
        [0, 1, 2].map((number) => ({ organizationId, number })),
        async (_scope, { number }) => {
          if (number === 1) throw new DomainError('chat_inactive', 'No active chat thread');
          if (number === 2) throw new Error('this one is broken');
        },
      );
    await createWith([{ name: 'tests', everySeconds: 1, run }], { log, count }).tick();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 20, pass: 'tests', reason: 'No active chat thread' },
      { level: 50, pass: 'tests' },
    ]);
    expect(counted).toEqual(['done', 'overtaken', 'failed'].map((outcome) => ['tests', outcome]));
  });
});

describe('the clockwork of a server', () => {
  afterEach(() => void vi.useRealTimers());
  const holdTime = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  /** Time goes on until it has happened. */
  const passTimeUntil = async (hasHappened: () => boolean): Promise<void> => {
    while (!hasHappened()) await vi.advanceTimersByTimeAsync(2_000);
  };

  it('judges nobody until those who are here had a moment to say so', async () => {
    holdTime();
    const begun = performance.now();
    let lookedAfter: number | undefined;
    const run = async () => {
      lookedAfter ??= performance.now() - begun;
    };
    const clockwork = createWith([{ name: 'quick', everySeconds: 2, run }]);
    clockwork.work();
    await passTimeUntil(() => lookedAfter !== undefined);
    await clockwork.stop();
    expect(lookedAfter).toBeGreaterThanOrEqual(12_000);
  });

  it('lets nothing urgent wait for what is slow', async () => {
    holdTime();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let isBusy = false;
    let looks = 0;
    const slow = async () => {
      isBusy = true;
      await held;
    };
    const quick = async () => {
      if (isBusy) looks++;
    };
    const clockwork = createWith([
      { name: 'slow', everySeconds: 10, run: slow },
      { name: 'quick', everySeconds: 2, run: quick },
    ]);
    clockwork.work();
    await passTimeUntil(() => looks === 2);
    release();
    await clockwork.stop();
  });
});
