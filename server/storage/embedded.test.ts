import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

const isRoot = process.getuid?.() === 0;
// Each test creates a cluster, which takes a while on a busy machine.

let folder: string;
let servers: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-embedded-'));
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const server of servers) await server.stop();
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

const start = async (options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), durable: false, ...options });
  servers.push(server);
  return server;
};

const query = async (server: EmbeddedPostgres, sql: string): Promise<unknown[]> => {
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows.flat();
};

/** Runs a Node process and waits for its first line. */
const startNode = async (code: string): Promise<{ child: ChildProcess; line: string }> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [chunk] = await once(child.stdout!, 'data');
  return { child, line: String(chunk).trim() };
};

const kill = async (process: ChildProcess): Promise<void> => {
  process.kill('SIGKILL');
  await once(process, 'exit');
};

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('keeps its rows across a restart, and listens on a private socket only', async () => {
  const first = await start();
  await query(first, 'create table kept as select 7 as n');
  expect(await query(first, 'show listen_addresses')).toEqual(['']);
  expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700);
  await first.stop();
  // An ended process exists as a zombie until Node reaps it.
  await expect.poll(() => exists(first.pid)).toBe(false);

  const second = await start();
  expect(second.reused).toBe(false);
  expect(await query(second, 'select n from kept')).toEqual([7]);
});

it('creates a UTF-8 database with checksums that compares letters beyond ASCII', async () => {
  const server = await start();
  expect(await query(server, "select upper('žluť'), current_setting('server_encoding')")).toEqual(['ŽLUŤ', 'UTF8']);
  expect(await query(server, "select current_setting('data_checksums'), current_setting('fsync')")).toEqual([
    'on',
    'off',
  ]);
});

it('reuses the server that a killed parent left running', async () => {
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)};
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(join(folder, 'data'))}, durable: false });
    process.stdin.resume();
    console.log(server.pid);`;
  const { child, line } = await startNode(code);
  await kill(child);

  const found = await start();
  expect(found).toMatchObject({ reused: true, pid: Number(line) });
  expect(await query(found, 'select current_database()')).toEqual(['parley']);
});

it('restarts a server that ends unexpectedly, also one that it reused, until it is stopped', async () => {
  const first = await start();
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const { promise: isBack, resolve } = Promise.withResolvers<void>();
  const onProgress = (line: string): void => {
    if (line === 'Database restarted.') resolve();
  };
  const found = await start({ onLost: reject, onProgress });
  expect(found.reused).toBe(true);
  process.kill(first.pid, 'SIGKILL');
  await Promise.race([isBack, lost]);
  expect(await query(found, 'select 1')).toEqual([1]);
  await found.stop();
  expect(await readdir(join(folder, 'data', 'postgres'))).not.toContain('postmaster.pid');
});

it('does not start a cluster that is in use by a PostgreSQL in another container', async () => {
  const first = await start();
  const lockFile = join(folder, 'data', 'postgres', 'postmaster.pid');
  const noted = await readFile(lockFile, 'utf8');
  await first.stop();
  await writeFile(lockFile, noted.replace(`${first.pid}`, '4194303'));
  await mkdir(first.connection.host, { mode: 0o700 });
  const elsewhere = createServer().listen(join(first.connection.host, '.s.PGSQL.5432'));
  await once(elsewhere, 'listening');
  await expect(start()).rejects.toThrow(/perhaps in another container/);
  elsewhere.close();
  expect(await query(await start(), 'select 1')).toEqual([1]);
});

it('recovers every acknowledged row after the server itself was killed', async () => {
  const first = await start({ durable: true });
  await query(first, 'create table kept as select n from generate_series(1, 1000) n');
  const reader = new pg.Client(first.connection);
  reader.on('error', () => {});
  await reader.connect();
  process.kill(first.pid, 'SIGKILL');

  const second = await start({ durable: true });
  expect(second.reused).toBe(false);
  expect(await query(second, 'select count(*)::int from kept')).toEqual([1000]);
});

it('replaces a server that is waiting to stop', async () => {
  const first = await start();
  const client = new pg.Client(first.connection);
  client.on('error', () => {});
  await client.connect();
  process.kill(first.pid, 'SIGTERM');

  const second = await start();
  expect(second.reused).toBe(false);
  expect(second.pid).not.toBe(first.pid);
});

it('replaces a server whose socket was removed', async () => {
  const first = await start();
  await rm(first.connection.host, { recursive: true });
  const second = await start();
  expect(second.pid).not.toBe(first.pid);
  expect(await query(second, 'select 1')).toEqual([1]);
});

it('is not stopped by a lock file whose process id now belongs to another program', async () => {
  const first = await start();
  const cluster = join(folder, 'data', 'postgres');
  const lockFile = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  await first.stop();
  const { child } = await startNode('process.stdin.resume(); console.log("here")');
  await writeFile(join(cluster, 'postmaster.pid'), lockFile.replace(`${first.pid}`, `${child.pid}`));
  await mkdir(first.connection.host, { mode: 0o700 });
  await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), `${child.pid}\n`);

  expect(await query(await start(), 'select 1')).toEqual([1]);
});

it('starts over when creating the cluster was interrupted', async () => {
  await mkdir(join(folder, 'data', 'postgres.unfinished', 'base'), { recursive: true });
  await writeFile(join(folder, 'data', 'postgres.unfinished', 'PG_VERSION'), '18\n');
  await start();
  expect((await readdir(join(folder, 'data'))).sort()).toEqual(['postgres', 'postgres-socket', 'postgres.log']);
});

it('rejects a cluster of another major version, and a folder that is not a cluster', async () => {
  await mkdir(join(folder, 'data', 'postgres'), { recursive: true });
  await writeFile(join(folder, 'data', 'postgres', 'notes'), 'mine');
  await expect(start()).rejects.toThrow(/does not contain a PostgreSQL cluster/);
  await writeFile(join(folder, 'data', 'postgres', 'PG_VERSION'), '13\n');
  await expect(start()).rejects.toThrow(/created by PostgreSQL 13/);
});

it('reports the output of PostgreSQL when it does not start', async () => {
  await (await start()).stop();
  await writeFile(join(folder, 'data', 'postgres', 'postgresql.auto.conf'), "shared_buffers = 'plenty'\n");
  await expect(start()).rejects.toThrow(/invalid value for parameter "shared_buffers"/);
});

it('supports a data directory whose path is too long for a socket, and trusts no folder of another user', async () => {
  const dataDir = join(folder, 'long-name-'.repeat(12), 'data');
  const first = await start({ dataDir });
  expect(Buffer.byteLength(first.connection.host)).toBeLessThan(90);
  expect(await query(first, 'select 1')).toEqual([1]);
  await first.stop();

  await mkdir(first.connection.host, { mode: 0o755 });
  await expect(start({ dataDir })).rejects.toThrow(/must be a folder owned by user \d+/);
  await rm(first.connection.host, { recursive: true });
});

it.runIf(isRoot)('runs as root below a private folder, with files that stay owned by root', async () => {
  const dataDir = join(folder, 'private', 'data');
  await mkdir(dirname(dataDir), { mode: 0o700 });
  const server = await start({ dataDir, asRoot: { mode: 'namespace' } });
  expect(await query(server, 'select 1')).toEqual([1]);
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0);
});

it.runIf(isRoot)('runs as the user nobody in the data directory if that user can access it', async () => {
  const open = await mkdtemp('/tmp/parley-open-');
  const dataDir = join(open, 'data');
  await rm(open, { recursive: true });
  await mkdir(open, { mode: 0o755 });
  const sharedDir = join(open, 'shared');
  const first = await start({ dataDir, asRoot: { mode: 'nobody', sharedDir } });
  expect(first.connection.host.startsWith(dataDir)).toBe(true);
  await query(first, 'create table kept as select 7 as n');
  await first.stop();

  const second = await start({ dataDir, asRoot: { sharedDir } });
  expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
  expect(await query(second, 'select n from kept')).toEqual([7]);
  await second.stop();
  await rm(open, { recursive: true });
});

it.runIf(isRoot)(
  'runs as the user nobody in another directory if that user cannot access the data directory, and finds it again',
  async () => {
    const sharedDir = await mkdtemp('/tmp/parley-shared-');
    const dataDir = join(folder, 'data');
    const first = await start({ dataDir, asRoot: { mode: 'nobody', sharedDir } });
    expect(first.connection.host.startsWith(sharedDir)).toBe(true);
    await query(first, 'create table kept as select 7 as n');
    expect(await start({ dataDir })).toMatchObject({ reused: true, pid: first.pid });
    await first.stop();

    const second = await start({ dataDir, asRoot: { sharedDir } });
    expect(await query(second, 'select n from kept')).toEqual([7]);
    await second.stop();
    await rm(sharedDir, { recursive: true });
    await expect(start({ dataDir })).rejects.toThrow(/but there is none/);
  },
);
