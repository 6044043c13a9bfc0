import type { Logger } from 'pino';
import { openOrganizationScope, type Services } from '#server/domain/scope.ts';
import { greetVisitor } from '#server/domain/support/greetings/greet-visitor.ts';
import { createLimiter } from './create-limiter.ts';

/** A customer with a socket in this process. */
export interface Visitor {
  organizationId: string;
  customerId: string;
}

export interface Greeter {
  enter(visitor: Visitor): void;
  leave(visitor: Visitor): void;
  /** Checks greetings after visitor activity. */
  check(visitor: Visitor): void;
  /** Checks the visitors that are due and waits for running checks. Runs every second. */
  tick(): Promise<void>;
  work(): void;
  stop(): Promise<void>;
}

interface Entry extends Visitor {
  /** When time alone may make a greeting match. */
  at: number | undefined;
  running: Promise<void> | undefined;
  /** Whether there was activity during the check. */
  checkAgain: boolean;
}

const TICK_MS = 1_000;
/** Most database connections are reserved for requests. */
const MAX_CONCURRENT_CHECKS = 4;

const keyOf = ({ organizationId, customerId }: Visitor): string => `${organizationId} ${customerId}`;

/** Schedules greeting checks for all visitors of this process with one timer. The database decides what is shown. */
export const createGreeter = ({ services, log }: { services: Services; log: Logger }): Greeter => {
  const visitors = new Map<string, Entry>();
  const limit = createLimiter(MAX_CONCURRENT_CHECKS);
  let timer: NodeJS.Timeout | undefined;

  const checkVisitor = async (entry: Entry): Promise<void> => {
    do {
      entry.checkAgain = false;
      const scope = openOrganizationScope(services, { kind: 'system' }, entry.organizationId);
      try {
        entry.at = (await limit(() => greetVisitor(scope, entry)))?.getTime();
      } catch (error) {
        entry.at = undefined;
        log.warn({ err: error }, 'greeting check failed');
      }
    } while (entry.checkAgain && visitors.get(keyOf(entry)) === entry);
    entry.running = undefined;
  };

  const check = (entry: Entry): void => {
    entry.checkAgain = true;
    entry.running ??= checkVisitor(entry);
  };

  const tick = async (): Promise<void> => {
    const now = services.clock.now().getTime();
    for (const entry of visitors.values()) if (entry.at !== undefined && entry.at <= now) check(entry);
    await Promise.all([...visitors.values()].flatMap(({ running }) => running ?? []));
  };

  return {
    enter: ({ organizationId, customerId }) => {
      const key = keyOf({ organizationId, customerId });
      if (!visitors.has(key))
        visitors.set(key, { organizationId, customerId, at: undefined, running: undefined, checkAgain: false });
    },
    leave: (visitor) => void visitors.delete(keyOf(visitor)),
    check: (visitor) => {
      const entry = visitors.get(keyOf(visitor));
      if (entry) check(entry);
    },
    tick,
    work: () => {
      timer ??= setInterval(() => void tick(), TICK_MS).unref();
    },
    stop: async () => {
      clearInterval(timer);
      const running = [...visitors.values()].flatMap(({ running }) => running ?? []);
      visitors.clear();
      await Promise.all(running);
    },
  };
};
