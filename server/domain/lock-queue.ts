import { DomainError } from './errors.ts';

/** Too many transactions of this process wait for the organization's lock: this one is rolled back and started again later. */
export class LockBusyError extends Error {
  readonly organizationId: string;
  constructor(organizationId: string) {
    super('Too many transactions wait for the lock of the organization');
    this.organizationId = organizationId;
  }
}

export type Release = () => void;

/**
 * Queues the transactions of this process that need an organization's advisory lock. Waiting for the lock in PostgreSQL alone would
 * let one busy organization occupy all connections, so only a few wait inside their transaction, each with a connection; all
 * others wait before their transaction begins.
 */
export interface LockQueue {
  /** Waits for the lock; call it inside a transaction. */
  acquire(organizationId: string): Promise<Release>;
  /** Waits until few transactions are ahead; call it before a transaction. */
  waitInQueue(organizationId: string): Promise<void>;
}

interface Queue {
  inside: (() => void)[];
  outside: (() => void)[];
}

const MAX_INSIDE = 3;
/** A transaction that waits may hold rows that the owner of the lock needs; after this time it gives up. */
const INSIDE_TIMEOUT_MS = 2_000;
/** Shorter than the statement timeout, so that the client gets an answer in time. */
const OUTSIDE_TIMEOUT_MS = 10_000;

const enqueue = (queue: (() => void)[], timeoutMs: number, timeoutError: () => Error): Promise<void> =>
  new Promise((resolve, reject) => {
    const admit = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(admit), 1);
      reject(timeoutError());
    }, timeoutMs);
    queue.push(admit);
  });

export const createLockQueue = (): LockQueue => {
  /** One for each organization whose lock is taken. */
  const queues = new Map<string, Queue>();

  const releaseOf = (organizationId: string): Release => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const { inside, outside } = queues.get(organizationId)!;
      const next = inside.shift();
      if (next) next();
      else queues.delete(organizationId);
      outside.shift()?.();
      // No transaction is left whose end would admit the others.
      if (!next) for (const admit of outside.splice(0)) admit();
    };
  };

  return {
    acquire: async (organizationId) => {
      const queue = queues.get(organizationId);
      if (!queue) queues.set(organizationId, { inside: [], outside: [] });
      else if (queue.inside.length >= MAX_INSIDE) throw new LockBusyError(organizationId);
      else await enqueue(queue.inside, INSIDE_TIMEOUT_MS, () => new LockBusyError(organizationId));
      return releaseOf(organizationId);
    },
    waitInQueue: async (organizationId) => {
      const queue = queues.get(organizationId);
      const timeoutError = () => new DomainError('timeout', 'The organization is too busy');
      if (queue) await enqueue(queue.outside, OUTSIDE_TIMEOUT_MS, timeoutError);
    },
  };
};
