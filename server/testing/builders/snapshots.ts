import { allTables, ownerColumns } from '#server/storage/tables/owners.ts';
import type { TestApp } from '../app/start-app.ts';
import type { Tenant } from './tenants.ts';

/** Every row as text, by table. */
export type Snapshot = Map<string, string[]>;

interface Part {
  table: string;
  where: string;
}

// Asked beside the guard: the point is to see what no scope would show. One question for all tables, because it is asked often.
const readRows = async ({ context }: TestApp, name: string, parts: Part[], values: unknown[]): Promise<Snapshot> => {
  const selects = parts.map(({ table, where }) => `select '${table}', to_jsonb(t)::text from ${table} t ${where}`);
  const { rows } = await context.database.query<{ table: string; row: string }>({
    // Planned once: for a hundred tables that takes longer than reading them.
    name,
    text: `/* platform */ select * from (${selects.join(' union all ')}) as all_rows ("table", "row")`,
    values,
  });
  const snapshot: Snapshot = new Map(parts.map(({ table }) => [table, []]));
  for (const { table, row } of rows) snapshot.get(table)!.push(row);
  return snapshot;
};

const PLACES: Record<string, string> = {
  organization_id: '$1::uuid',
  partner_id: '$2::bigint',
  owner_id: 'any (array[$1::uuid::text, $2::bigint::text])',
};

const OWNED: Part[] = [
  ...Object.entries(ownerColumns).map(([table, owner]) => ({ table, where: `where t.${owner} = ${PLACES[owner]}` })),
  { table: 'organizations', where: 'where t.id = $1::uuid' },
  { table: 'partners', where: 'where t.id = $2::bigint' },
];

/** All that belongs to a tenant. */
export const snapshotOf = (test: TestApp, { organization, partner }: Tenant): Promise<Snapshot> =>
  readRows(test, 'snapshot_of_tenant', OWNED, [organization.id, partner.id]);

/** All that is stored. */
export const snapshotAll = (test: TestApp): Promise<Snapshot> =>
  readRows(
    test,
    'snapshot_of_all',
    allTables.map((table) => ({ table, where: '' })),
    [],
  );

/** Rows that are gone or different; rows that were added are none of these. */
export const lostRows = (before: Snapshot, after: Snapshot): string[] =>
  [...before].flatMap(([table, rows]) => {
    const kept = new Set(after.get(table));
    return rows.filter((row) => !kept.has(row)).map((row) => `${table}: ${row}`);
  });

export const changedRows = (before: Snapshot, after: Snapshot): string[] => [
  ...lostRows(before, after),
  ...lostRows(after, before),
];
