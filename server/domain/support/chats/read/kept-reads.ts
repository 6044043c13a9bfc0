import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import type { Actor } from '../../../access.ts';

interface Kept {
  mark: string;
  record: object;
}

/** What customers read before, with the mark that its rows had. */
export type KeptReads = LRUCache<string, Kept>;

/** With what is made of it, a record takes about four times as many bytes. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** What an entry weighs beside its record. */
const FRAME = 500;
/** Ids of further pages are as old as the page that names them. */
const KEEP_MS = 3600 * 1000;

export const createKeptReads = (): KeptReads => new LRUCache({ maxSize: MAX_CHARACTERS });

export interface KeptMark {
  /** Whether what is read will be kept, so that its mark is asked for. */
  keeps?: boolean;
  /** The mark of what is kept now. */
  known?: string | undefined;
}

export interface Reading<Record> {
  record: Record;
  /** Absent when the record says more than its rows do. */
  mark?: string | null;
}

/** The part of an organization scope that a cached read uses. */
interface Reader {
  organizationId: string;
  actor: Actor;
  executor: Executor;
  services: { executor: Executor; keptReads: KeptReads };
  now(): Date;
}

/**
 * Gives a customer the very object it was given before as long as its rows are the same, so that what was made of it need
 * not be made again; nobody may change it. `read` answers with nothing when the rows have the known mark. They are asked each
 * time, by one statement that sees marks and records at one moment: no process needs to be told of what another writes.
 */
export const readUnlessKept = async <Record extends object>(
  scope: Reader,
  what: string,
  read: (kept: KeptMark) => Promise<Reading<Record> | undefined>,
): Promise<Record> => {
  const { organizationId, actor, executor, services } = scope;
  // A transaction sees what may be undone.
  if (actor.kind !== 'customer' || executor !== services.executor) return (await read({}))!.record;
  const key = `${organizationId} ${actor.id} ${what} ${Math.floor(scope.now().getTime() / KEEP_MS)}`;
  const kept = services.keptReads.get(key);
  const reading = await read({ keeps: true, known: kept?.mark });
  if (!reading) return kept!.record as Record;
  const { record, mark } = reading;
  if (mark) services.keptReads.set(key, { mark, record }, { size: FRAME + JSON.stringify(record).length });
  return record;
};
