import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import type { Actor } from '../../../access.ts';

interface CachedResponse {
  version: string;
  record: object;
}

/** Responses to customers with the row version they were built from. */
export type ResponseCache = LRUCache<string, CachedResponse>;

/** A record and its serialized form together take about four times as many bytes. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Estimated overhead per entry. */
const ENTRY_OVERHEAD = 500;
/** Page ids in a response are as old as the response. */
const MAX_AGE_MS = 3600 * 1000;

export const createResponseCache = (): ResponseCache => new LRUCache({ maxSize: MAX_CHARACTERS });

export interface CachedVersion {
  /** Whether the response may be cached, so that the version is needed. */
  cacheable?: boolean;
  /** The version of the cached response. */
  cached?: string | undefined;
}

export interface VersionedRecord<Record> {
  record: Record;
  /** Absent when the record depends on more than its rows. */
  version?: string | null;
}

/** The part of an organization scope that a cached read uses. */
interface Reader {
  organizationId: string;
  actor: Actor;
  executor: Executor;
  services: { executor: Executor; support: { responseCache: ResponseCache } };
  now(): Date;
}

/**
 * Returns the same object as long as its rows are unchanged, so that its serialized form can be reused; callers must
 * not modify it. `read` returns undefined when the rows still have the cached version. The version is checked on every
 * read by a statement that sees versions and rows at the same time, so processes need not notify each other.
 */
export const readThroughCache = async <Record extends object>(
  scope: Reader,
  operation: string,
  read: (cached: CachedVersion) => Promise<VersionedRecord<Record> | undefined>,
): Promise<Record> => {
  const { organizationId, actor, executor, services } = scope;
  // A transaction sees uncommitted rows, which must not be cached.
  if (actor.kind !== 'customer' || executor !== services.executor) return (await read({}))!.record;
  const key = `${organizationId} ${actor.id} ${operation} ${Math.floor(scope.now().getTime() / MAX_AGE_MS)}`;
  const cached = services.support.responseCache.get(key);
  const result = await read({ cacheable: true, cached: cached?.version });
  if (!result) return cached!.record as Record;
  const { record, version } = result;
  if (version)
    services.support.responseCache.set(
      key,
      { version, record },
      { size: ENTRY_OVERHEAD + JSON.stringify(record).length },
    );
  return record;
};
