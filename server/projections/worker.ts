import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ProjectionName, Projections } from '#server/domain/projection-queue.ts';
import type { Database } from '#server/storage/database.ts';
import { isDatabaseUnavailable, isRetryable } from '#server/storage/database-errors.ts';
import { findPendingProjections } from '#server/storage/platform-timers.ts';
import { projections as allProjections } from './index.ts';
import type { Projection } from './projection.ts';
import { applyBatch, findLastPending, isPending } from './queue.ts';

export interface ProjectionWorker extends Projections {
  /**
   * Applies all queued entries, one batch per owner and projection in rotation. A failing owner does not stop the
   * others.
   */
  drain(): Promise<void>;
  /** Ends a drain after the current batch. */
  stop(): Promise<void>;
}

/**
 * After this time a read no longer waits for a backlog, for example during a rebuild, and shows the state applied so
 * far.
 */
const MAX_READ_WAIT_MS = 2_000;
/** How often a read checks whether another process has finished its batch. */
const RETRY_MS = 10;

type Outcome = Awaited<ReturnType<typeof applyBatch>>;

export const createProjectionWorker = ({
  database,
  projections = allProjections,
  log,
}: {
  database: Database;
  projections?: Readonly<Record<ProjectionName, Projection>>;
  log: Pick<Logger, 'error'>;
}): ProjectionWorker => {
  /** Readers in this process share the current batch, so that they hold no connection while they wait. */
  const running = new Map<string, Promise<Outcome>>();
  let isStopped = false;

  const apply = (name: ProjectionName, ownerId: string): Promise<Outcome> => {
    const id = `${name} ${ownerId}`;
    const batch = running.get(id) ?? applyBatch(database, projections[name], ownerId).finally(() => running.delete(id));
    running.set(id, batch);
    return batch;
  };

  const applyUpTo = async (ownerId: string, last: { name: ProjectionName; id: number }): Promise<void> => {
    const until = performance.now() + MAX_READ_WAIT_MS;
    do {
      const { locked } = await apply(last.name, ownerId).catch((error: unknown) => {
        if (!isRetryable(error)) throw error;
        return { locked: true };
      });
      if (locked) await delay(RETRY_MS);
    } while ((await isPending(database, ownerId, last)) && performance.now() < until);
  };

  return {
    applyPending: async (owner, ...names) => {
      const ownerId = String(owner);
      for (const last of await findLastPending(database, ownerId, names)) await applyUpTo(ownerId, last);
    },
    drain: async () => {
      const skipped = new Set<string>();
      for (let applied = 1; applied > 0; ) {
        applied = 0;
        for (const { name, ownerId } of await findPendingProjections(database)) {
          if (isStopped) return;
          if (!(name in projections) || skipped.has(`${name} ${ownerId}`)) continue;
          try {
            const { locked, applied: count } = await apply(name as ProjectionName, ownerId);
            // The process that holds the lock applies the entries.
            if (locked) skipped.add(`${name} ${ownerId}`);
            applied += count;
          } catch (error) {
            if (isDatabaseUnavailable(error)) throw error;
            skipped.add(`${name} ${ownerId}`);
            log.error({ err: error, projection: name, ownerId }, 'projection failed');
          }
        }
      }
    },
    stop: async () => {
      isStopped = true;
      await Promise.allSettled(running.values());
    },
  };
};
