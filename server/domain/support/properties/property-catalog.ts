import type { Kysely, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '#server/storage/tables/index.ts';
import type { PropertyDefinitionsTable } from '#server/storage/tables/properties.ts';
import { builtInDefinitions } from './built-in.ts';
import type { Definitions, PropertyDefinition } from './definitions.ts';

/** The property definitions of an account, cached because every chat that a customer reads needs them. */
export interface PropertyCatalog {
  load(organizationId: string): Promise<Definitions>;
  /** The cached definitions, for callers that cannot wait; only the built-in ones if the account is not loaded yet. */
  get(organizationId: string): Definitions;
  /** Clears the cache after the definitions of an account changed. */
  refresh(organizationId: string): void;
}

/** Changes are published to all processes; this bounds the delay if an event is lost. */
const CACHE_TTL_MS = 60_000;
const MAX_CACHED = 10_000;

const toDefinition = ({
  type,
  access,
  domain,
  range,
  maxLength,
}: Selectable<PropertyDefinitionsTable>): PropertyDefinition => ({
  type,
  access,
  ...(domain ? { domain } : {}),
  ...(range ? { range } : {}),
  ...(maxLength === null ? {} : { maxLength }),
});

const readDefinitions = async (db: Kysely<Tables>, organizationId: string): Promise<Definitions> => {
  const rows = await db
    .selectFrom('propertyDefinitions')
    .where('organizationId', '=', organizationId)
    .selectAll()
    .execute();
  if (rows.length === 0) return builtInDefinitions;
  const own = Map.groupBy(rows, ({ namespace }) => namespace);
  const namespaces = [...own].map(
    ([namespace, names]) => [namespace, new Map(names.map((row) => [row.name, toDefinition(row)]))] as const,
  );
  return new Map([...namespaces, ...builtInDefinitions]);
};

export const createPropertyCatalog = (db: Kysely<Tables>): PropertyCatalog => {
  const cache = new LRUCache<string, Definitions>({
    max: MAX_CACHED,
    ttl: CACHE_TTL_MS,
    noDeleteOnStaleGet: true,
    fetchMethod: (organizationId) => readDefinitions(db, organizationId),
  });
  /** A failed load is retried by the next caller. */
  const readAgain = (organizationId: string): void =>
    void cache.fetch(organizationId, { forceRefresh: true }).catch(() => undefined);
  return {
    load: async (organizationId) => (await cache.fetch(organizationId))!,
    get: (organizationId) => {
      if (cache.getRemainingTTL(organizationId) <= 0) readAgain(organizationId);
      return cache.get(organizationId, { allowStale: true }) ?? builtInDefinitions;
    },
    refresh: (organizationId) => {
      if (cache.has(organizationId)) readAgain(organizationId);
    },
  };
};
