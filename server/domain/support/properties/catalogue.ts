import type { Kysely, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '#server/storage/tables/index.ts';
import type { PropertyDefinitionsTable } from '#server/storage/tables/properties.ts';
import { builtInDefinitions } from './built-in.ts';
import type { Definitions, PropertyDefinition } from './definitions.ts';

/** Which properties an account has. Asked for every chat that a customer reads, so the answer is remembered. */
export interface PropertyCatalog {
  load(organizationId: string): Promise<Definitions>;
  /** What is remembered, for those who cannot wait; of an account not asked for yet, only what all accounts have. */
  known(organizationId: string): Definitions;
  /** An account's definitions changed. */
  refresh(organizationId: string): void;
}

/** Changes are announced; this bounds what an announcement that got lost can cost. */
const REMEMBER_MS = 60_000;
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
  const remembered = new LRUCache<string, Definitions>({
    max: MAX_CACHED,
    ttl: REMEMBER_MS,
    noDeleteOnStaleGet: true,
    fetchMethod: (organizationId) => readDefinitions(db, organizationId),
  });
  /** A reading that fails is tried again by whoever asks next. */
  const readAgain = (organizationId: string): void =>
    void remembered.fetch(organizationId, { forceRefresh: true }).catch(() => undefined);
  return {
    load: async (organizationId) => (await remembered.fetch(organizationId))!,
    known: (organizationId) => {
      if (remembered.getRemainingTTL(organizationId) <= 0) readAgain(organizationId);
      return remembered.get(organizationId, { allowStale: true }) ?? builtInDefinitions;
    },
    refresh: (organizationId) => {
      if (remembered.has(organizationId)) readAgain(organizationId);
    },
  };
};
