import { DomainError } from './errors.ts';

/** Too many of this process wait for the organization's turn: the transaction is given up, and begun again later. */
export class TurnTaken extends Error {
  readonly organizationId: string;
  constructor(organizationId: string) {
    super('Others wait for the turn');
    this.organizationId = organizationId;
  }
}

export type GiveBack = () => void;

/**
 * One at a time for each organization, in this process. A few wait with what they have done so far, each of them with a
 * connection. All others wait before they begin: a busy organization must not take the connections of the rest.
 */
export interface Turns {
  /** Inside a transaction. */
  take(organizationId: string): Promise<GiveBack>;
  /** Before a transaction, until it makes sense to begin it. */
  wait(organizationId: string): Promise<void>;
}

interface Line {
  inside: (() => void)[];
  outside: (() => void)[];
}

const MAX_INSIDE = 3;
/** Whoever waits inside may hold what the one with the turn needs; after this it lets go. */
const MAX_INSIDE_MS = 2_000;
/** Less than a statement may take, so that the caller learns in time. */
const MAX_OUTSIDE_MS = 10_000;

/** Resolves when it is let in, and leaves the line when that takes too long. */
const standIn = (line: (() => void)[], maxMs: number, tooLate: () => Error): Promise<void> =>
  new Promise((resolve, reject) => {
    const letIn = (): void => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(() => {
      line.splice(line.indexOf(letIn), 1);
      reject(tooLate());
    }, maxMs);
    line.push(letIn);
  });

export const createTurns = (): Turns => {
  /** One for each organization whose turn is taken. */
  const lines = new Map<string, Line>();

  const giveBack = (organizationId: string): GiveBack => {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const { inside, outside } = lines.get(organizationId)!;
      const next = inside.shift();
      if (next) next();
      else lines.delete(organizationId);
      outside.shift()?.();
      // Nobody is left whose end would let them in.
      if (!next) for (const letIn of outside.splice(0)) letIn();
    };
  };

  return {
    take: async (organizationId) => {
      const line = lines.get(organizationId);
      if (!line) lines.set(organizationId, { inside: [], outside: [] });
      else if (line.inside.length >= MAX_INSIDE) throw new TurnTaken(organizationId);
      else await standIn(line.inside, MAX_INSIDE_MS, () => new TurnTaken(organizationId));
      return giveBack(organizationId);
    },
    wait: async (organizationId) => {
      const line = lines.get(organizationId);
      const tooLate = () => new DomainError('timeout', 'The organization is too busy');
      if (line) await standIn(line.outside, MAX_OUTSIDE_MS, tooLate);
    },
  };
};
