import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DomainError } from '#server/domain/errors.ts';
import type { Database } from '#server/storage/database.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { createPeriodicTasks } from './periodic-tasks.ts';
import { createScheduler, type PeriodicTask, type SchedulerParts } from './scheduler.ts';

const test = useTestApp();

const createWith = (tasks: PeriodicTask[], parts: Partial<SchedulerParts<string>> = {}) => {
  const { database, services } = test.context;
  const log = pino({ level: 'silent' });
  return createScheduler({ database, services, tasks, log, count: () => {}, enqueue: async () => {}, ...parts });
};
const create = (...runs: PeriodicTask['run'][]) =>
  createWith(runs.map((run, number) => ({ name: `task ${number}`, everySeconds: 1, run })));
const organizationId = crypto.randomUUID();
const items = (...numbers: number[]) => numbers.map((number) => ({ organizationId, number }));

const logTo = (lines: Record<string, unknown>[]) =>
  pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });

describe('a scheduler', () => {
  it('runs the other tasks and items when one fails', async () => {
    const done: unknown[] = [];
    await create(
      async () => {
        throw new Error('this task is broken');
      },
      async ({ forEach }) =>
        forEach(items(1, 2, 3), async (scope, { number }) => {
          if (number === 2) throw new Error('this item is broken');
          done.push([scope.organizationId, scope.actor.kind, number]);
        }),
    ).runFrequent();
    expect(done).toEqual([
      [organizationId, 'system', 1],
      [organizationId, 'system', 3],
    ]);
  });

  it('runs a task in one process at a time', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let others = 0;
    const first = create(async () => {
      begin();
      await held;
    }).runFrequent();
    await begun;
    const other = create(async () => void others++);
    await other.runFrequent();
    expect(others).toBe(0);
    release();
    await first;
    await other.runFrequent();
    expect(others).toBe(1);
  });

  it('starts no item or task after it was stopped', async () => {
    const done: number[] = [];
    const scheduler = create(
      async ({ forEach }) =>
        forEach(items(1, 2), async (_scope, { number }) => {
          done.push(number);
          await scheduler.stop();
        }),
      async () => void done.push(3),
    );
    await scheduler.runFrequent();
    expect(done).toEqual([1]);
  });

  it('counts and logs the outcome of each item', async () => {
    const lines: Record<string, unknown>[] = [];
    const counted: string[][] = [];
    const count = (...one: string[]): void => void counted.push(one);
    let succeeded: number | undefined;
    const run: PeriodicTask['run'] = async ({ forEach }) => {
      succeeded = await forEach(items(0, 1, 2), async (_scope, { number }) => {
        if (number === 1) throw new DomainError('chat_inactive', 'No active chat thread');
        if (number === 2) throw new Error('this item is broken');
      });
    };
    await createWith([{ name: 'tests', everySeconds: 1, run }], { log: logTo(lines), count }).runFrequent();
    expect(lines).toMatchObject([
      { level: 20, task: 'tests', organizationId, reason: 'No active chat thread' },
      { level: 50, task: 'tests', organizationId },
    ]);
    expect(counted).toEqual(['done', 'skipped', 'failed'].map((outcome) => ['tests', outcome]));
    expect(succeeded).toBe(1);
  });

  it('runs a task that is due every minute or less often as a job, once per interval in all processes together', async () => {
    await using other = await startTestApp({ beside: test });
    await Promise.all([test, other, test].map(({ context }) => context.background.scheduler.enqueueInfrequent()));
    const enqueued: string[] = [];
    await test.context.background.jobs.drain({
      ...test.context.background.jobHandlers,
      'periodic-task': async ({ task }) => void enqueued.push(task),
    });
    const tasks: PeriodicTask[] = [
      ...createPeriodicTasks({
        ...test.context,
        ...test.context.background,
        files: test.context.ports.files,
        clicks: test.context.services.partners.clicks,
        onQueueSizes: () => {},
      }),
    ];
    const infrequent = tasks.filter(({ everySeconds }) => everySeconds >= 60);
    expect(enqueued.sort()).toEqual(infrequent.map(({ name }) => name).sort());
  });
});

describe('a started scheduler', () => {
  afterEach(() => void vi.useRealTimers());
  const holdTime = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const passTimeUntil = async (hasHappened: () => boolean): Promise<void> => {
    while (!hasHappened()) await vi.advanceTimersByTimeAsync(1_000);
  };
  const start = (scheduler: { start(options: { isWorker: boolean }): void }) => scheduler.start({ isWorker: true });

  it('lets clients reconnect before it runs a task that looks for missing clients', async () => {
    holdTime();
    const begun = performance.now();
    const ranAfter = new Map<string, number>();
    // Tasks without the lock start in the tick in which they are due, so the measured time does not include the database.
    const taskNamed = (name: string, waitsForReconnects: boolean): PeriodicTask => ({
      ...{ name, everySeconds: 2, waitsForReconnects, runsIn: 'process' },
      run: async () => void (ranAfter.has(name) || ranAfter.set(name, performance.now() - begun)),
    });
    const scheduler = createWith([taskNamed('waiting', true), taskNamed('other', false)]);
    start(scheduler);
    await passTimeUntil(() => ranAfter.size === 2);
    await scheduler.stop();
    expect(ranAfter.get('waiting')).toBeGreaterThanOrEqual(12_000);
    expect(ranAfter.get('other')).toBeLessThan(12_000);
  });

  it('does not delay a task because one with another interval is slow', async () => {
    holdTime();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let isBusy = false;
    let runs = 0;
    const slow = async () => {
      isBusy = true;
      await held;
    };
    const quick = async () => {
      if (isBusy) runs++;
    };
    const scheduler = createWith([
      { name: 'slow', everySeconds: 3, run: slow },
      { name: 'quick', everySeconds: 2, run: quick },
    ]);
    start(scheduler);
    await passTimeUntil(() => runs === 2);
    release();
    await scheduler.stop();
  });

  it('runs a woken task immediately, or again if it is already running', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const run = async () => {
      const gate = gates[runs++];
      await gate?.promise;
    };
    const scheduler = createWith([{ name: 'woken', everySeconds: 50, runsIn: 'process', run }]);
    scheduler.wake('woken');
    expect(runs).toBe(0);
    start(scheduler);
    for (let n = 0; n < 3; n++) scheduler.wake('woken');
    expect(runs).toBe(1);
    gates[0]!.resolve();
    await expect.poll(() => runs).toBe(2);
    gates[1]!.resolve();
    await scheduler.stop();
    expect(runs).toBe(2);
  });

  it('pauses while the database is unavailable, and then lets clients reconnect again', async () => {
    holdTime();
    const lines: Record<string, unknown>[] = [];
    let isAway = false;
    const failWhenAway = () => {
      if (isAway) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    const database = {
      query: async () => {
        failWhenAway();
        return { rows: [{ locked: true }] };
      },
      transaction: async (work: (tx: unknown) => Promise<unknown>) => {
        failWhenAway();
        return work(database);
      },
    };
    const runs: number[] = [];
    const task = {
      name: 'tests',
      everySeconds: 2,
      waitsForReconnects: true,
      run: async () => void runs.push(performance.now()),
    };
    const scheduler = createWith([task], { database: database as unknown as Database, log: logTo(lines) });
    start(scheduler);
    await passTimeUntil(() => runs.length === 1);
    isAway = true;
    await passTimeUntil(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ msg: 'scheduler paused: database unavailable', retryInMs: 1_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    isAway = false;
    const backAt = performance.now();
    await passTimeUntil(() => runs.length === 2);
    await scheduler.stop();
    expect(runs[1]! - backAt).toBeGreaterThanOrEqual(12_000);
    expect(lines.map(({ msg }) => msg)).toEqual(['scheduler paused: database unavailable', 'scheduler resumed']);
  });
});
