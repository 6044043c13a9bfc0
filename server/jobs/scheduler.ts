import type { Logger } from 'pino';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import { tryLockInTransaction } from '#server/storage/advisory-locks.ts';
import type { Database } from '#server/storage/database.ts';
import { isDatabaseUnavailable } from '#server/storage/database-errors.ts';

/** The arguments of a task that works for many organizations. */
export interface TaskRun {
  /** Aborted when the process stops: a long task leaves the rest for its next run. */
  signal: AbortSignal;
  /** Works on one item after the other and returns how many succeeded. A failure is logged and does not stop the others. */
  forEach<T extends { organizationId: string }>(
    items: T[],
    work: (scope: OrganizationScope, item: T) => Promise<unknown>,
  ): Promise<number>;
}

/**
 * Work that is due because time has passed. Its state is in the database, so a restart resumes where the last process stopped.
 * Tasks that run every minute or less often are pg-boss jobs: they are retried, and a restart neither repeats nor skips them.
 */
export interface PeriodicTask<Name extends string = string> {
  name: Name;
  everySeconds: number;
  /** Default: in one process at a time. `worker`: in every process with that role; `process`: in every process. */
  runsIn?: 'worker' | 'process';
  /** The task treats missing signs of life as absence, so it waits until clients had time to reconnect after an outage. */
  waitsForReconnects?: boolean;
  run(run: TaskRun): Promise<unknown>;
}

export interface Scheduler<Name extends string = string> {
  start(options: { isWorker: boolean }): void;
  /** Runs a task as soon as possible; if it is running, again afterwards. Does nothing before `start`. */
  wake(name: Name): void;
  /** Runs one task now. pg-boss calls this, and tests do instead of waiting. */
  run(name: Name): Promise<void>;
  /** Runs every task once that needs the lock and is not a pg-boss job; tests call this instead of waiting. */
  runFrequent(): Promise<void>;
  /** Enqueues the tasks that are pg-boss jobs: once per interval across all processes. */
  enqueueInfrequent(): Promise<void>;
  /** Resolves when no task is running. */
  stop(): Promise<void>;
}

export interface SchedulerParts<Name extends string> {
  tasks: readonly PeriodicTask<Name>[];
  database: Database;
  services: Services;
  /** Enqueues one run as a job, at most once per interval. */
  enqueue(task: Name, everySeconds: number): Promise<void>;
  log: Logger;
  count(task: string, outcome: 'done' | 'skipped' | 'failed'): void;
}

const TICK_MS = 1_000;
const JOB_FROM_SECONDS = 60;
/** Agents and visitors reconnect within this time after a start or a database outage. */
const RECONNECT_MS = 12_000;

const isJob = ({ everySeconds }: PeriodicTask): boolean => everySeconds >= JOB_FROM_SECONDS;

/**
 * The only timer for background work. Each process has one scheduler; an advisory lock per task keeps a task from running in two
 * processes at the same time. Tasks with the same interval run one after the other, because each holds a connection for its lock;
 * tasks with another interval do not wait for them.
 *
 * Tasks that are due more often than once a minute run here instead of in pg-boss: its cron has a resolution of one minute and
 * skips what was missed while the server was down, and re-enqueueing jobs added 17 transactions per second and 9 kB/s of WAL to an
 * idle installation that otherwise makes 9 transactions per second.
 */
export const createScheduler = <Name extends string>({
  tasks,
  database,
  services,
  enqueue,
  log,
  count,
}: SchedulerParts<Name>): Scheduler<Name> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const started = new Set<PeriodicTask>();
  const dueAt = new Map<PeriodicTask, number>();
  const running = new Map<PeriodicTask, Promise<void>>();
  const runAgain = new Set<PeriodicTask>();
  /** The last task that was begun of those that take the lock, by interval. */
  const lastOfInterval = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isPaused = false;
  let reconnectedAt = 0;

  const forEachOf =
    (task: string): TaskRun['forEach'] =>
    async (items, work) => {
      let done = 0;
      for (const item of items) {
        if (signal.aborted) break;
        try {
          await work(openOrganizationScope(services, { kind: 'system' }, item.organizationId), item);
          done++;
          count(task, 'done');
        } catch (error) {
          if (isDatabaseUnavailable(error)) throw error;
          const isSkipped = error instanceof DomainError;
          count(task, isSkipped ? 'skipped' : 'failed');
          const about = { task, organizationId: item.organizationId };
          if (isSkipped) log.debug({ ...about, reason: error.message }, 'periodic task: item no longer due');
          else log.error({ err: error, ...about }, 'periodic task: item failed');
        }
      }
      return done;
    };

  const runUnlocked = (task: PeriodicTask): Promise<unknown> => task.run({ signal, forEach: forEachOf(task.name) });

  const run = async (task: PeriodicTask): Promise<void> => {
    if (signal.aborted) return;
    if (task.runsIn) await runUnlocked(task);
    else
      await database.transaction(async (executor) => {
        if (await tryLockInTransaction(executor, 'scheduler', task.name)) await runUnlocked(task);
      });
  };

  const runLogged = async (task: PeriodicTask): Promise<void> => {
    try {
      await run(task);
    } catch (error) {
      if (signal.aborted) return;
      if (!isDatabaseUnavailable(error)) return log.error({ err: error, task: task.name }, 'periodic task failed');
      if (!isPaused) log.warn({ err: error, retryInMs: TICK_MS }, 'scheduler paused: database unavailable');
      isPaused = true;
    }
  };

  const begin = (task: PeriodicTask): void => {
    if (signal.aborted || running.has(task)) return;
    dueAt.set(task, performance.now() + task.everySeconds * 1_000);
    const previous = task.runsIn ? undefined : lastOfInterval.get(task.everySeconds);
    const ended = (previous ? previous.then(() => runLogged(task)) : runLogged(task)).finally(() => {
      running.delete(task);
      if (runAgain.delete(task)) begin(task);
    });
    running.set(task, ended);
    if (!task.runsIn) lastOfInterval.set(task.everySeconds, ended);
  };

  /** After an outage, tasks continue when the database is available again. */
  const resume = async (): Promise<void> => {
    await database.query({ text: 'select 1', values: [] });
    isPaused = false;
    reconnectedAt = performance.now();
    log.info('scheduler resumed');
  };
  const resumeTask: PeriodicTask = { name: 'resume', everySeconds: 0, runsIn: 'process', run: resume };

  const isDue = (task: PeriodicTask, now: number): boolean =>
    now >= dueAt.get(task)! - TICK_MS / 2 && !(task.waitsForReconnects && now < reconnectedAt + RECONNECT_MS);

  const tick = (): void => {
    const now = performance.now();
    const due = isPaused ? [resumeTask] : [...started].filter((task) => isDue(task, now));
    for (const task of due) begin(task);
  };

  const find = (name: Name): PeriodicTask | undefined => tasks.find((task) => task.name === name);

  const enqueueInfrequent = async (): Promise<void> => {
    for (const { name, everySeconds } of tasks.filter(isJob)) await enqueue(name, everySeconds);
  };

  const enqueueTask: PeriodicTask = {
    name: 'enqueue-periodic-tasks',
    everySeconds: JOB_FROM_SECONDS,
    runsIn: 'worker',
    run: enqueueInfrequent,
  };

  return {
    start: ({ isWorker }) => {
      reconnectedAt = performance.now();
      for (const task of [...tasks.filter((one) => !isJob(one)), enqueueTask]) {
        if (task.runsIn === 'worker' && !isWorker) continue;
        started.add(task);
        dueAt.set(task, task.runsIn ? 0 : reconnectedAt + task.everySeconds * 1_000);
      }
      timer = setInterval(tick, TICK_MS).unref();
      tick();
    },
    wake: (name) => {
      const task = find(name);
      if (!task || !started.has(task) || isPaused) return;
      if (running.has(task)) runAgain.add(task);
      else begin(task);
    },
    run: async (name) => {
      const task = find(name);
      // A job that an older release enqueued.
      if (!task) return log.warn({ task: name }, 'unknown periodic task ignored');
      await run(task);
    },
    runFrequent: async () => {
      for (const task of tasks) if (!isJob(task) && !task.runsIn) await runLogged(task);
    },
    enqueueInfrequent,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
};
