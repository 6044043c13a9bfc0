import type { Logger } from 'pino';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import type { ProjectionWorker } from '#server/projections/worker.ts';
import type { Database } from '#server/storage/database.ts';
import { isDatabaseAway } from '#server/storage/failures.ts';

export interface ClockworkTools {
  database: Database;
  services: Services;
  projections: ProjectionWorker;
  log: Logger;
  /** What became of each thing that was due. */
  count(pass: string, outcome: 'done' | 'overtaken' | 'failed'): void;
}

/** What time alone brings about. Its state is in the database, so that it goes on after a restart where it was. */
export interface Pass {
  name: string;
  everySeconds: number;
  run(tools: ClockworkTools, forEach: ForEach): Promise<void>;
}

/** One after the other; what fails is noted and keeps nobody else waiting. */
export type ForEach = <T extends { organizationId: string }>(
  due: T[],
  work: (scope: OrganizationScope, one: T) => Promise<unknown>,
) => Promise<void>;

export interface Clockwork {
  /** Looks for what is due from now on. */
  work(): void;
  /** Does all that is due now; tests call this instead of waiting. */
  tick(): Promise<void>;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

const CLOCKWORK_LOCK = 12;
/** After a start, or when the database was away, those who are here need a moment to say so before anybody is taken for gone. */
const RECOVER_MS = 12_000;

/**
 * Each process has one, and one process at a time looks: whoever finds it taken need not, since the other does the same.
 * Passes that are due equally often follow each other and wait for no other, so that what is slow delays nothing urgent.
 */
export const createClockwork = ({ passes, ...tools }: ClockworkTools & { passes: readonly Pass[] }): Clockwork => {
  const { database, services, log, count } = tools;
  const rounds = Map.groupBy(passes, ({ everySeconds }) => everySeconds);
  const timers: NodeJS.Timeout[] = [];
  const ticking = new Map<number, Promise<void>>();
  let stopped = false;
  let wasAway = false;
  let restUntil = 0;

  const forEachOf =
    ({ name: pass }: Pass): ForEach =>
    async (due, work) => {
      for (const one of due) {
        if (stopped) return;
        try {
          await work(openOrganizationScope(services, { kind: 'system' }, one.organizationId), one);
          count(pass, 'done');
        } catch (error) {
          if (isDatabaseAway(error)) throw error;
          const isOvertaken = error instanceof DomainError;
          count(pass, isOvertaken ? 'overtaken' : 'failed');
          if (isOvertaken) log.debug({ pass, reason: error.message }, 'somebody was faster than the clockwork');
          else log.error({ err: error, pass }, 'what was due could not be done');
        }
      }
    };

  const run = async (pass: Pass): Promise<void> => {
    try {
      await pass.run(tools, forEachOf(pass));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.error({ err: error, pass: pass.name }, 'what is due could not be read');
    }
  };

  const runRound = (everySeconds: number): Promise<void> =>
    database.transaction(async (executor) => {
      const text = 'select pg_try_advisory_xact_lock($1, $2) as mine';
      const { rows } = await executor.query<{ mine: boolean }>({ text, values: [CLOCKWORK_LOCK, everySeconds] });
      if (rows[0]!.mine) for (const pass of rounds.get(everySeconds)!) if (!stopped) await run(pass);
    });

  const look = async (everySeconds: number): Promise<void> => {
    if (performance.now() < restUntil) return;
    try {
      if (wasAway) {
        await database.query({ text: 'select 1', values: [] });
        restUntil = performance.now() + RECOVER_MS;
        wasAway = false;
      } else await runRound(everySeconds);
    } catch (error) {
      wasAway = true;
      log.warn({ err: error }, 'the clockwork rests');
    }
  };

  const begin = (everySeconds: number): void => {
    if (ticking.has(everySeconds)) return;
    ticking.set(
      everySeconds,
      look(everySeconds).finally(() => ticking.delete(everySeconds)),
    );
  };

  return {
    work: () => {
      restUntil = performance.now() + RECOVER_MS;
      for (const everySeconds of rounds.keys())
        timers.push(setInterval(begin, everySeconds * 1_000, everySeconds).unref());
    },
    tick: async () => {
      for (const everySeconds of rounds.keys()) await runRound(everySeconds);
    },
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(ticking.values());
    },
  };
};
