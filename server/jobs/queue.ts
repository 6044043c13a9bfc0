import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Executor } from '#server/storage/executor.ts';
import { type JobName, type Jobs, jobsWithoutRetry } from './index.ts';
import type { JobLog } from './job-log.ts';

export type JobHandlers = { [N in JobName]: (data: Jobs[N]) => Promise<void> };

export interface JobQueue {
  /** Runs only if the caller's transaction commits. */
  enqueue<N extends JobName>(tx: Executor, name: N, data: Jobs[N]): Promise<void>;
  /** Enqueues one run of a periodic task, at most once per interval across all processes. */
  enqueueTask(task: string, everySeconds: number): Promise<void>;
  /** Starts taking jobs. */
  work(handlers: JobHandlers): Promise<void>;
  /** Looks for jobs now instead of at the next poll. */
  nudge(): void;
  /** Runs everything that is due, and what follows from it; tests call this instead of waiting. */
  drain(handlers: JobHandlers): Promise<void>;
  /** Running jobs get this long to finish; the others are returned to the queue. */
  stop(timeoutMs: number): Promise<void>;
}

const QUEUE_OPTIONS = {
  retryLimit: 8,
  retryDelay: 5,
  retryBackoff: true,
  expireInSeconds: 120,
  retentionSeconds: 14 * 24 * 3600,
};

/** pg-boss stores jobs in the same database, so enqueueing is part of the transaction that causes the job. */
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
  let stopped = false;
  // A job that was returned to the queue and ends afterwards finds the queue closed.
  boss.on('error', (error) => !stopped && log.error({ err: error }, 'job queue failed'));
  await boss.start();
  for (const name of names) if (!(await boss.getQueue(name))) await boss.createQueue(name, QUEUE_OPTIONS);
  const workers: string[] = [];

  const run = async (name: JobName, handlers: JobHandlers, job: { id: string; data: unknown }): Promise<void> => {
    await handlers[name](job.data as never);
    log.info({ job: job.id, queue: name }, 'job completed');
  };

  return {
    enqueue: async (tx, name, data) => {
      await boss.send(name, data as object, {
        db: { executeSql: (text, values) => tx.query({ text, values: values ?? [] }) },
        ...(jobsWithoutRetry.includes(name) ? { retryLimit: 0 } : {}),
      });
    },
    enqueueTask: async (task, everySeconds) => {
      await boss.send('periodic-task', { task }, { singletonKey: task, singletonSeconds: everySeconds });
    },
    work: async (handlers) => {
      for (const name of names) {
        workers.push(
          await boss.work(name, { pollingIntervalSeconds: 2, batchSize: 1 }, async ([job]) => {
            if (job) await run(name, handlers, job);
          }),
        );
      }
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
      const idle = Promise.all(names.map((name) => boss.offWork(name)));
      await Promise.race([idle, delay(timeoutMs, undefined, { ref: false })]);
      stopped = true;
      await boss.stop({ graceful: false });
    },
  };
};
