import type { Executor } from '#server/storage/executor.ts';

/** Every projection; `server/projections/index.ts` holds one value for each of them. */
export type ProjectionName =
  | 'archive_search'
  | 'ledger_sums'
  | 'partner_performance'
  | 'report_facts'
  | 'ticket_search';

/** What domain reads need of the projections. */
export interface Projections {
  /**
   * Applies the pending keys of an owner, so that a read sees every write that was committed before it. Costs one indexed
   * lookup when nothing is pending. Must not be called inside a transaction: it uses another connection.
   */
  applyPending(ownerId: string | number, ...names: ProjectionName[]): Promise<void>;
}

/** A transaction of one owner. Every organization's and partner's scope is one. */
export type ProjectionOwner = { readonly executor: Executor } & (
  | { readonly organizationId: string }
  | { readonly partnerId: number }
);

const ENQUEUE = `
insert into projection_queue (owner_id, projection, key)
select $1, q.projection, q.key from unnest($2::text[], $3::text[]) q(projection, key)`;

export type ProjectionKeys = { readonly [N in ProjectionName]?: readonly string[] };

/**
 * Queues keys whose derived rows must be recomputed. Call it in the transaction that writes the source rows. Every call
 * inserts new rows: an entry that is added while its key is being recomputed stays queued, and writers never wait
 * for each other.
 */
export const enqueueProjections = async (tx: ProjectionOwner, keys: ProjectionKeys): Promise<void> => {
  const entries = Object.entries(keys).flatMap(([name, some]) => [...new Set(some)].map((key) => [name, key] as const));
  if (entries.length === 0) return;
  const ownerId = 'organizationId' in tx ? tx.organizationId : String(tx.partnerId);
  const values = [ownerId, entries.map(([name]) => name), entries.map(([, key]) => key)];
  await tx.executor.query({ name: 'enqueue_projections', text: ENQUEUE, values });
};

export const enqueueProjection = (tx: ProjectionOwner, name: ProjectionName, keys: readonly string[]): Promise<void> =>
  enqueueProjections(tx, { [name]: keys });
