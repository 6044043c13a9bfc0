import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { checkApplied, checkSchema, checkServer, type Migration, migrate, SchemaError } from './migrate.ts';
import { migrations } from './migrations/index.ts';

let connection: pg.PoolConfig;
beforeEach(async () => {
  connection = await createTestDatabase();
});

const ask = async <Row extends object>(text: string): Promise<Row[]> => {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};
const run = (allMigrations: Migration[]) => migrate(connection as pg.ClientConfig, allMigrations);
const next = (up: string, id = '9001'): Migration => ({ id, name: 'a next step', up });
const exists = async (table: string) =>
  (await ask<{ found: string | null }>(`select to_regclass('${table}') as found`))[0]!.found !== null;

describe('migrate', () => {
  it('does nothing the second time', async () => {
    expect(await run(migrations)).toEqual([]);
  });

  it('migrates an empty database', async () => {
    await ask('drop schema public cascade; create schema public');
    expect(await run(migrations)).toEqual(migrations.map(({ id }) => id));
    expect(await exists('organizations')).toBe(true);
  });

  it('applies new migrations in order and records them', async () => {
    const steps = [next('create table one (id int)', '9001'), next('alter table one add name text', '9002')];
    expect(await run([...migrations, ...steps])).toEqual(['9001', '9002']);
    expect(await run([...migrations, ...steps])).toEqual([]);
  });

  it('reports its start before it applies migrations, and only if there are any', async () => {
    const allMigrations = [...migrations, next('create table one (id int)')];
    const refuse = (): void => {
      throw new Error('not now');
    };
    await expect(migrate(connection as pg.ClientConfig, allMigrations, refuse)).rejects.toThrow('not now');
    expect(await exists('one')).toBe(false);
    await expect(migrate(connection as pg.ClientConfig, migrations, refuse)).resolves.toEqual([]);
  });

  it('fails without crashing the process when its connection is lost', async () => {
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    const running = run([...migrations, next('select pg_sleep(60)')]);
    const failed = expect(running).rejects.toThrow(/terminat|connection/i);
    while ((await ask(end)).length === 0);
    await failed;
  });

  it('rolls back a migration that fails, and keeps the earlier ones', async () => {
    const steps = [next('create table one (id int)', '9001'), next('create table two (id int); select 1 / 0', '9002')];
    await expect(run([...migrations, ...steps])).rejects.toThrow(/9002 .* failed and was undone: division by zero/);
    expect([await exists('one'), await exists('two')]).toEqual([true, false]);
    expect(await run([...migrations, steps[0]!, next('create table two (id int)', '9002')])).toEqual(['9002']);
  });

  it('serializes two processes that start together', async () => {
    const allMigrations = [...migrations, next('create table one (id int); insert into one values (1)')];
    const applied = await Promise.all([run(allMigrations), run(allMigrations), run(allMigrations)]);
    expect(applied.flat()).toEqual(['9001']);
    expect(await ask('select * from one')).toHaveLength(1);
  });

  it('rejects a database that a newer version created', async () => {
    await run([...migrations, next('create table one (id int)')]);
    await expect(run(migrations)).rejects.toThrow(/newer version of Parley \(it has migration 9001/);
  });

  it('rejects a migration that was changed after it ran', async () => {
    await run([...migrations, next('create table one (id int)')]);
    await expect(run([...migrations, next('create table one (id bigint)')])).rejects.toThrow(/different content/);
  });

  it('rejects a database without one of its tables', async () => {
    await ask('drop table partner_tokens cascade');
    await expect(run(migrations)).rejects.toThrow(/half migrated: the tables partner_tokens are missing/);
  });

  it('leaves no lock behind when it fails', async () => {
    await expect(run([...migrations, next('nonsense')])).rejects.toBeInstanceOf(SchemaError);
    expect(await run([...migrations, next('create table one (id int)')])).toEqual(['9001']);
  });
});

describe('checkSchema', () => {
  it('accepts the current schema, and changes nothing otherwise', async () => {
    await expect(checkSchema(connection as pg.ClientConfig, migrations)).resolves.toBeUndefined();
    await expect(
      checkSchema(connection as pg.ClientConfig, [...migrations, next('create table one (id int)')]),
    ).rejects.toThrow(/older than this version/);
    expect(await exists('one')).toBe(false);
    await ask('drop table schema_migrations');
    await expect(checkSchema(connection as pg.ClientConfig, migrations)).rejects.toThrow(/older than this version/);
  });
});

describe('checkApplied', () => {
  it('rejects a gap', () => {
    const allMigrations = [next('a', '0001'), next('b', '0002')];
    expect(() => checkApplied([{ id: '0002', checksum: 'x' }], allMigrations)).toThrow(/0001 is missing although 0002/);
  });
});

describe('checkServer', () => {
  it('requires PostgreSQL 15', () => {
    expect(() => checkServer({ version: 149_999, name: '14.9' })).toThrow(/PostgreSQL 14.9 is too old/);
    expect(() => checkServer({ version: 150_000, name: '15.0' })).not.toThrow();
  });
});
