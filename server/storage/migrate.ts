import { createHash } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { MIGRATIONS_LOCK } from './advisory-locks.ts';
import { StartError } from './start-error.ts';
import { allTables } from './tables/owners.ts';

export interface Migration {
  id: string;
  name: string;
  up: string;
}

/** The schema is incompatible with this program; the message says why and what to do. */
export class SchemaError extends StartError {}

const MIN_POSTGRES_VERSION = 150_000;

const checksum = (migration: Migration): string => createHash('sha256').update(migration.up).digest('hex').slice(0, 16);

export const checkServer = ({ version, name }: { version: number; name: string }): void => {
  if (version < MIN_POSTGRES_VERSION)
    throw new SchemaError(`PostgreSQL ${name} is too old. Parley needs PostgreSQL 15 or newer.`);
};

const readServer = async (client: Client): Promise<{ version: number; name: string }> => {
  const { rows } = await client.query<{ version: number; name: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name`,
  );
  return rows[0]!;
};

/**
 * The applied migrations must be an unchanged prefix of the known ones. Anything else comes from another program or a
 * failed migration.
 */
export const checkApplied = (applied: { id: string; checksum: string }[], migrations: Migration[]): void => {
  const newest = migrations.at(-1)?.id ?? '0000';
  const newer = applied.filter((row) => row.id > newest);
  if (newer.length > 0) {
    throw new SchemaError(
      `The database was created by a newer version of Parley (it has migration ${newer.at(-1)!.id}, this version has ${newest}). Start the newer version, or restore a backup.`,
    );
  }
  for (const [at, row] of applied.entries()) {
    const expected = migrations[at];
    if (expected?.id !== row.id) {
      throw new SchemaError(
        `The database is half migrated: migration ${expected?.id ?? '?'} is missing although ${row.id} is applied. Restore a backup.`,
      );
    }
    if (checksum(expected) !== row.checksum) {
      throw new SchemaError(
        `Migration ${row.id} (${expected.name}) was applied with different content than this version has. Start the version of Parley that created this database, or restore a backup.`,
      );
    }
  }
};

const checkTables = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema()`,
  );
  const present = new Set(rows.map((row) => row.name));
  const missing = allTables.filter((table) => !present.has(table));
  if (missing.length > 0) {
    throw new SchemaError(
      `The database is half migrated: the tables ${missing.join(', ')} are missing. Restore a backup.`,
    );
  }
};

const applyAll = async (client: Client, migrations: Migration[], onBegin: () => void): Promise<string[]> => {
  await client.query(
    `create table if not exists schema_migrations (id text primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ id: string; checksum: string }>(
    'select id, checksum from schema_migrations order by id',
  );
  checkApplied(rows, migrations);
  const pending = migrations.slice(rows.length);
  if (pending.length > 0) onBegin();
  for (const migration of pending) {
    await client.query('begin');
    try {
      await client.query(migration.up);
      await client.query('insert into schema_migrations (id, name, checksum) values ($1, $2, $3)', [
        migration.id,
        migration.name,
        checksum(migration),
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new SchemaError(
        `Migration ${migration.id} (${migration.name}) failed and was undone: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }
  return pending.map((migration) => migration.id);
};

/** For commands that run beside the server: rejects a schema that is not exactly the known one, and changes nothing. */
export const checkSchema = async (connection: ClientConfig, migrations: Migration[]): Promise<void> => {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows: found } = await client.query(`select to_regclass('schema_migrations') as name`);
    const { rows } = found[0].name
      ? await client.query<{ id: string; checksum: string }>('select id, checksum from schema_migrations order by id')
      : { rows: [] };
    checkApplied(rows, migrations);
    if (rows.length < migrations.length)
      throw new SchemaError('The database is older than this version of Parley. Start the server once to upgrade it.');
  } finally {
    await client.end();
  }
};

/**
 * Applies pending migrations; processes that start together take turns. Reports whether there is something to apply,
 * and returns what was applied.
 */
export const migrate = async (
  connection: ClientConfig,
  migrations: Migration[],
  onBegin: () => void = () => {},
): Promise<string[]> => {
  const client = new Client(connection);
  // A lost connection fails the running statement; without this listener its error event would also crash the process.
  client.on('error', () => {});
  await client.connect();
  try {
    checkServer(await readServer(client));
    await client.query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK]);
    const applied = await applyAll(client, migrations, onBegin);
    await checkTables(client);
    return applied;
  } finally {
    await client.end();
  }
};
