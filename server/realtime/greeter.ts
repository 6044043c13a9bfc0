import type { Logger } from 'pino';
import { openOrganizationScope, type Services } from '#server/domain/scope.ts';
import { greetVisitor } from '#server/domain/support/greetings/greet-visitor.ts';
import { createTurns } from './turns.ts';

/** A customer with a socket in this process. */
export interface Visitor {
  organizationId: string;
  customerId: string;
}

export interface Greeter {
  enter(visitor: Visitor): void;
  leave(visitor: Visitor): void;
  /** The visitor did something that greetings may depend on. */
  look(visitor: Visitor): void;
  /** Looks at everybody whose time has come, and waits for all looks under way. Runs every second. */
  tick(): Promise<void>;
  work(): void;
  stop(): Promise<void>;
}

interface Entry extends Visitor {
  /** When time alone may make a greeting fit. */
  at: number | undefined;
  looking: Promise<void> | undefined;
  /** Something happened during the look. */
  again: boolean;
}

const TICK_MS = 1_000;
/** Most connections are for those who wait for an answer. */
const MAX_CONCURRENT_LOOKS = 4;

const keyOf = ({ organizationId, customerId }: Visitor): string => `${organizationId} ${customerId}`;

/** Finds the moments to greet for every visitor of this process, with one timer. What is shown is decided in the database. */
export const createGreeter = ({ services, log }: { services: Services; log: Logger }): Greeter => {
  const here = new Map<string, Entry>();
  const inTurn = createTurns(MAX_CONCURRENT_LOOKS);
  let timer: NodeJS.Timeout | undefined;

  const lookAt = async (entry: Entry): Promise<void> => {
    do {
      entry.again = false;
      const scope = openOrganizationScope(services, { kind: 'system' }, entry.organizationId);
      try {
        entry.at = (await inTurn(() => greetVisitor(scope, entry)))?.getTime();
      } catch (error) {
        entry.at = undefined;
        log.warn({ err: error }, 'a visitor could not be greeted');
      }
    } while (entry.again && here.get(keyOf(entry)) === entry);
    entry.looking = undefined;
  };

  const look = (entry: Entry): void => {
    entry.again = true;
    entry.looking ??= lookAt(entry);
  };

  const tick = async (): Promise<void> => {
    const now = services.clock.now().getTime();
    for (const entry of here.values()) if (entry.at !== undefined && entry.at <= now) look(entry);
    await Promise.all([...here.values()].flatMap(({ looking }) => looking ?? []));
  };

  return {
    enter: ({ organizationId, customerId }) => {
      const key = keyOf({ organizationId, customerId });
      if (!here.has(key))
        here.set(key, { organizationId, customerId, at: undefined, looking: undefined, again: false });
    },
    leave: (visitor) => void here.delete(keyOf(visitor)),
    look: (visitor) => {
      const entry = here.get(keyOf(visitor));
      if (entry) look(entry);
    },
    tick,
    work: () => {
      timer ??= setInterval(() => void tick(), TICK_MS).unref();
    },
    stop: async () => {
      clearInterval(timer);
      const under = [...here.values()].flatMap(({ looking }) => looking ?? []);
      here.clear();
      await Promise.all(under);
    },
  };
};
