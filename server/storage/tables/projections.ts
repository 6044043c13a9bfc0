import type { Generated } from 'kysely';

/** A key whose derived rows have to be recomputed; `server/projections` drains it. */
export interface ProjectionQueueTable {
  /** The id of an organization or of a partner. */
  ownerId: string;
  projection: string;
  id: Generated<number>;
  key: string;
}
