import { DomainError } from './errors.ts';

/** Somebody of this process has the organization's turn: the transaction is given up, and begun again when it is free. */
export class TurnTaken extends Error {
  readonly organizationId: string;
  constructor(organizationId: string) {
    super('Somebody else has the turn');
    this.organizationId = organizationId;
  }
}

export type GiveBack = () => void;

/**
 * One at a time for each organization, in this process. Whoever waits here holds no connection: a busy organization must
 * not take them all from the others.
 */
export interface Turns {
  take(organizationId: string): GiveBack | undefined;
  wait(organizationId: string): Promise<GiveBack>;
}

interface Waiter {
  grant(): void;
}

/** Less than a statement may take, so that the caller learns in time. */
const LONGEST_WAIT_MS = 10_000;

export const createTurns = (): Turns => {
  /** Who waits, for each organization whose turn is taken. */
  const waiting = new Map<string, Waiter[]>();

  const giveBack = (organizationId: string): GiveBack => {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = waiting.get(organizationId)!.shift();
      if (next) next.grant();
      else waiting.delete(organizationId);
    };
  };

  const take = (organizationId: string): GiveBack | undefined => {
    if (waiting.has(organizationId)) return undefined;
    waiting.set(organizationId, []);
    return giveBack(organizationId);
  };

  return {
    take,
    wait: (organizationId) =>
      new Promise((resolve, reject) => {
        const taken = take(organizationId);
        if (taken) return resolve(taken);
        const line = waiting.get(organizationId)!;
        const late = setTimeout(() => {
          line.splice(line.indexOf(waiter), 1);
          reject(new DomainError('timeout', 'The organization is too busy'));
        }, LONGEST_WAIT_MS);
        const waiter: Waiter = {
          grant: () => {
            clearTimeout(late);
            resolve(giveBack(organizationId));
          },
        };
        line.push(waiter);
      }),
  };
};
