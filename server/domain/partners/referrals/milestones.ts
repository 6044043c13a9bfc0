import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import {
  findMilestones,
  findUnfinishedLicenses,
  type MilestonesRow,
  setChatted,
  setInstalled,
} from '#server/storage/platform-referrals.ts';
import type { Clock } from '../../clock.ts';
import { createCoalescer } from '../../coalesce.ts';

/** Records milestones of referred licenses without making the caller wait. */
export interface Milestones {
  /** The widget was seen on a website. */
  noteInstalled(organizationId: string): void;
  /** A chat started or ended. */
  noteChat(organizationId: string): void;
  /** Resolves when all pending writes are done. */
  drain(): Promise<void>;
}

export interface MilestoneParts {
  executor: Executor;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}

const MAX_CACHED = 50_000;

/**
 * Most organizations have no milestone left: no partner referred them, or they reached all. They are cached, so that further
 * calls cost nothing. A job repeats what could not be written.
 */
export const createMilestones = ({ executor, clock, log }: MilestoneParts): Milestones => {
  const working = new Set<Promise<void>>();

  const createRecorder = (
    isDone: (row: MilestonesRow) => boolean,
    write: (organizationId: string) => Promise<void>,
  ) => {
    const done = new LRUCache<string, true>({ max: MAX_CACHED });
    const share = createCoalescer<void>();
    const record = async (organizationId: string): Promise<void> => {
      const [before] = await findMilestones(executor, [organizationId]);
      if (before && !isDone(before)) {
        await write(organizationId);
        const [after] = await findMilestones(executor, [organizationId]);
        if (after && !isDone(after)) return;
      }
      done.set(organizationId, true);
    };
    return (organizationId: string): void => {
      if (done.has(organizationId)) return;
      const run = share(organizationId, () => record(organizationId))
        .catch((error: unknown) => log.warn({ err: error }, 'milestone could not be written'))
        .finally(() => working.delete(run));
      working.add(run);
    };
  };

  return {
    noteInstalled: createRecorder(
      ({ installedAt }) => installedAt !== null,
      (id) => setInstalled(executor, id, clock.now()),
    ),
    noteChat: createRecorder(
      ({ tenthChatAt }) => tenthChatAt !== null,
      (id) => setChatted(executor, [id]),
    ),
    drain: async () => {
      while (working.size > 0) await Promise.all(working);
    },
  };
};

const BATCH = 500;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Checks the licenses in batches and starts over after the last one. Recorded milestones do not change. */
export const createCatchUp = (executor: Executor): (() => Promise<void>) => {
  let after = NIL_UUID;
  return async () => {
    const ids = await findUnfinishedLicenses(executor, after, BATCH);
    if (ids.length > 0) await setChatted(executor, ids);
    after = ids.length < BATCH ? NIL_UUID : ids.at(-1)!;
  };
};
