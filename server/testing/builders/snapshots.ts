import { allTables, ownerColumns } from '#server/storage/tables/owners.ts';
import type { TestApp } from '../app/start-app.ts';
import type { Tenant } from './tenants.ts';

/** Every row as text, by table. */
export type Snapshot = Map<string, string[]>;

interface Part {
  table: string;
  where: string;
}

// Bypasses the tenant guard to see rows of all tenants. It is called often, so it reads all tables by one query.
const readRows = async ({ context }: TestApp, name: string, parts: Part[], values: unknown[]): Promise<Snapshot> => {
  const selects = parts.map(({ table, where }) => `select '${table}', to_jsonb(t)::text from ${table} t ${where}`);
  const { rows } = await context.database.query<{ table: string; row: string }>({
    // A named statement is planned once; planning for a hundred tables takes longer than reading them.
    name,
    text: `/* platform */ select * from (${selects.join(' union all ')}) as all_rows ("table", "row")`,
    values,
  });
  const snapshot: Snapshot = new Map(parts.map(({ table }) => [table, []]));
  for (const { table, row } of rows) snapshot.get(table)!.push(row);
  return snapshot;
};

const OWNER_PARAMETERS: Record<string, string> = {
  organization_id: '$1::uuid',
  partner_id: '$2::bigint',
  owner_id: 'any (array[$1::uuid::text, $2::bigint::text])',
};

const OWNED: Part[] = [
  ...Object.entries(ownerColumns).map(([table, owner]) => ({
    table,
    where: `where t.${owner} = ${OWNER_PARAMETERS[owner]}`,
  })),
  { table: 'organizations', where: 'where t.id = $1::uuid' },
  { table: 'partners', where: 'where t.id = $2::bigint' },
];

/** All rows of a tenant. */
export const snapshotOf = (test: TestApp, { organization, partner }: Tenant): Promise<Snapshot> =>
  readRows(test, 'snapshot_of_tenant', OWNED, [organization.id, partner.id]);

/** All rows of all tables. */
export const snapshotAll = (test: TestApp): Promise<Snapshot> =>
  readRows(
    test,
    'snapshot_of_all',
    allTables.map((table) => ({ table, where: '' })),
    [],
  );

/** Returns deleted and changed rows, but not added ones. */
export const findLostRows = (before: Snapshot, after: Snapshot): string[] =>
  [...before].flatMap(([table, rows]) => {
    const remaining = new Set(after.get(table));
    return rows.filter((row) => !remaining.has(row)).map((row) => `${table}: ${row}`);
  });

export const findChangedRows = (before: Snapshot, after: Snapshot): string[] => [
  ...findLostRows(before, after),
  ...findLostRows(after, before),
];
