import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { allTables, ownerColumns } from './owners.ts';

const TABLES = `
select c.relname as name,
  (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
   where i.indrelid = c.oid and i.indisprimary) as key
from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

const readTables = async (): Promise<Map<string, string | null>> => {
  const client = new pg.Client(await createTestDatabase());
  await client.connect();
  const { rows } = await client.query<{ name: string; key: string | null }>(TABLES);
  await client.end();
  return new Map(rows.map(({ name, key }) => [name, key]));
};

it('lists every table of the schema, and the owner as the first column of its primary key', async () => {
  const tables = await readTables();
  const unlisted = [...tables.keys()].filter((name) => !allTables.includes(name) && !name.includes('migration'));
  expect(unlisted).toEqual([]);
  const keys = Object.fromEntries(Object.keys(ownerColumns).map((name) => [name, tables.get(name)]));
  expect(keys).toEqual(ownerColumns);
});
