import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Executor } from '#server/storage/executor.ts';
import { type JobName, type Jobs, triedOnce } from './index.ts';
import type { JobLog } from './job-log.ts';
import { POLL_INTERVAL_MS, timetable } from './timetable.ts';

/** The signal tells that the process wants to end: what takes long leaves the rest for the next time. */
export type JobHandlers = { [N in JobName]: (data: Jobs[N], signal?: AbortSignal) => Promise<void> };

export interface JobQueue {
  /** Runs only if the caller's transaction commits. */
  enqueue<N extends JobName>(tx: Executor, name: N, data: Jobs[N]): Promise<void>;
  /** Enqueues what the timetable has due; however many processes ask, once for each span. */
  keepTimetable(): Promise<void>;
  /** Takes jobs from now on, also those of the timetable. */
  work(handlers: JobHandlers): Promise<void>;
  /** Looks for work at once instead of at the next round. */
  nudge(): void;
  /** Runs everything that is due, and what follows from it; tests call this instead of waiting. */
  drain(handlers: JobHandlers): Promise<void>;
  /** Jobs under way get a moment to finish; the rest is handed back. */
  stop(timeoutMs: number): Promise<void>;
}

const QUEUE_OPTIONS = {
  retryLimit: 8,
  retryDelay: 5,
  retryBackoff: true,
  expireInSeconds: 120,
  retentionSeconds: 14 * 24 * 3600,
};

/** pg-boss keeps jobs in the same database, so that enqueueing belongs to the transaction that causes the work. */
export const openJobQueue = async (
  connection: PoolConfig,
  names: readonly JobName[],
  log: JobLog,
): Promise<JobQueue> => {
  const boss = new PgBoss({
    ...(connection as object),
    max: 4,
    application_name: 'parley-jobs',
    superviseIntervalSeconds: 60,
    schedule: false,
  });
  const stopping = new AbortController();
  let stopped = false;
  // A job that was handed back and ends afterwards finds the queue closed.
  boss.on('error', (error) => !stopped && log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  for (const name of names) if (!(await boss.getQueue(name))) await boss.createQueue(name, QUEUE_OPTIONS);
  const workers: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  const run = async (name: JobName, handlers: JobHandlers, job: { id: string; data: unknown }): Promise<void> => {
    await handlers[name](job.data as never, stopping.signal);
    log.info({ job: job.id, queue: name }, 'job done');
  };

  const keepTimetable = async (): Promise<void> => {
    for (const { name, everySeconds } of timetable) await boss.send(name, {}, { singletonSeconds: everySeconds });
  };

  const lookAtTimetable = (): void => {
    looking = keepTimetable().catch((error: unknown) => {
      if (!stopped) log.error({ err: error }, 'the timetable was not kept');
    });
  };

  return {
    keepTimetable,
    enqueue: async (tx, name, data) => {
      await boss.send(name, data as object, {
        db: { executeSql: (text, values) => tx.query({ text, values: values ?? [] }) },
        ...(triedOnce.includes(name) ? { retryLimit: 0 } : {}),
      });
    },
    work: async (handlers) => {
      for (const name of names) {
        workers.push(
          await boss.work(name, { pollingIntervalSeconds: 2, batchSize: 1 }, async ([job]) => {
            if (job) await run(name, handlers, job);
          }),
        );
      }
      timer = setInterval(lookAtTimetable, POLL_INTERVAL_MS);
      lookAtTimetable();
    },
    nudge: () => {
      for (const id of workers) boss.notifyWorker(id);
    },
    drain: async (handlers) => {
      for (let found = true; found; ) {
        found = false;
        for (const name of names) {
          for (const job of await boss.fetch(name, { batchSize: 50 })) {
            found = true;
            try {
              await run(name, handlers, job);
              await boss.complete(name, job.id);
            } catch (error) {
              await boss.fail(name, job.id, { message: (error as Error).message });
            }
          }
        }
      }
    },
    stop: async (timeoutMs) => {
      clearInterval(timer);
      stopping.abort();
      const idle = Promise.all([looking, ...names.map((name) => boss.offWork(name))]);
      await Promise.race([idle, delay(timeoutMs, undefined, { ref: false })]);
      stopped = true;
      await boss.stop({ graceful: false });
    },
  };
};
