import { allTables, ownerColumns } from '#server/storage/tables/index.ts';
import type { TestApp } from './start-app.ts';
import type { Tenant } from './tenants.ts';

/** Every row as text, by table. */
export type Snapshot = Map<string, string[]>;

// Asked beside the guard: the point is to see what no scope would show.
const readRows = async ({ context }: TestApp, table: string, where: string, values: unknown[]): Promise<string[]> => {
  const { rows } = await context.database.query<{ row: string }>({
    text: `/* platform */ select to_jsonb(t)::text as row from ${table} t ${where} order by 1`,
    values,
  });
  return rows.map(({ row }) => row);
};

const PLATFORM_OWNERS: Record<string, 'organization_id' | 'partner_id'> = {
  organizations: 'organization_id',
  partners: 'partner_id',
};

/** All that belongs to a tenant. */
export const snapshotOf = async (test: TestApp, { organization, partner }: Tenant): Promise<Snapshot> => {
  const ids = { organization_id: organization.id, partner_id: partner.id };
  const snapshot: Snapshot = new Map();
  for (const [table, column] of Object.entries({ ...ownerColumns, ...PLATFORM_OWNERS })) {
    const name = table in PLATFORM_OWNERS ? 'id' : column;
    snapshot.set(table, await readRows(test, table, `where t.${name} = $1`, [ids[column as keyof typeof ids]]));
  }
  return snapshot;
};

/** All that is stored. */
export const snapshotAll = async (test: TestApp): Promise<Snapshot> => {
  const snapshot: Snapshot = new Map();
  for (const table of allTables) snapshot.set(table, await readRows(test, table, '', []));
  return snapshot;
};

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
