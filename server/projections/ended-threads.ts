import type { Executor } from '#server/storage/executor.ts';

const NEXT_THREADS = `
select t.id, t.created_at as at from threads t
where t.organization_id = $1 and not t.active and (t.created_at, t.id) > ($2, $3) order by t.created_at, t.id limit $4`;

/** Yields the ids of all ended threads in batches, ordered by start time. */
export async function* listEndedThreads(tx: Executor, organizationId: string, batchSize: number) {
  for (let last = { at: new Date(0), id: '' }; ; ) {
    const values = [organizationId, last.at, last.id, batchSize];
    const { rows } = await tx.query<{ id: string; at: Date }>({ text: NEXT_THREADS, values });
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
    last = rows.at(-1)!;
  }
}
