import type { Logger } from 'pino';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import type { Database } from '#server/storage/database.ts';
import { isDatabaseAway } from '#server/storage/failures.ts';

export interface ClockworkTools {
  database: Database;
  services: Services;
  log: Logger;
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

const TICK_MS = 2_000;
const CLOCKWORK_LOCK = 12;
/** After the database was away, those who are here need a moment to say so before anybody is taken for gone. */
const RECOVER_MS = 12_000;

/** Each process has one, and one process at a time looks: whoever finds it taken need not, since the other does the same. */
export const createClockwork = ({ passes, ...tools }: ClockworkTools & { passes: readonly Pass[] }): Clockwork => {
  const { database, services, log } = tools;
  const dueAt = new Map<Pass, number>();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> | undefined;
  let stopped = false;
  let wasAway = false;
  let restUntil = 0;

  const forEach: ForEach = async (due, work) => {
    for (const one of due) {
      if (stopped) return;
      try {
        await work(openOrganizationScope(services, { kind: 'system' }, one.organizationId), one);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        // Somebody was faster.
        if (!(error instanceof DomainError)) log.error({ err: error }, 'what was due could not be done');
      }
    }
  };

  const run = async (pass: Pass): Promise<void> => {
    try {
      await pass.run(tools, forEach);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.error({ err: error, pass: pass.name }, 'what is due could not be read');
    }
  };

  const runAll = (due: readonly Pass[]): Promise<void> =>
    database.transaction(async (executor) => {
      const text = 'select pg_try_advisory_xact_lock($1) as mine';
      const { rows } = await executor.query<{ mine: boolean }>({ text, values: [CLOCKWORK_LOCK] });
      if (rows[0]!.mine) for (const pass of due) if (!stopped) await run(pass);
    });

  const takeDue = (): Pass[] => {
    const now = performance.now();
    const due = passes.filter((pass) => (dueAt.get(pass) ?? 0) <= now);
    for (const pass of due) dueAt.set(pass, now + pass.everySeconds * 1_000);
    return due;
  };

  const look = async (): Promise<void> => {
    if (performance.now() < restUntil) return;
    try {
      if (wasAway) {
        await database.query({ text: 'select 1', values: [] });
        restUntil = performance.now() + RECOVER_MS;
        wasAway = false;
      } else await runAll(takeDue());
    } catch (error) {
      wasAway = true;
      log.warn({ err: error }, 'the clockwork rests');
    }
  };

  return {
    work: () => {
      timer ??= setInterval(() => {
        ticking ??= look().finally(() => {
          ticking = undefined;
        });
      }, TICK_MS).unref();
    },
    tick: () => runAll(passes),
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await ticking;
    },
  };
};
