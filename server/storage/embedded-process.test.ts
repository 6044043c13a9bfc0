import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearStaleLocks, isGone } from './embedded-process.ts';

let folder: string;
let cluster: string;
let other: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-process-'));
  cluster = join(folder, 'postgres');
  await mkdir(cluster);
});

afterEach(async () => {
  other?.kill('SIGKILL');
  other = undefined;
  await rm(folder, { recursive: true });
});

/** A process with this name in that folder, with its id in the lock file. */
const runAs = async (name: string, cwd: string): Promise<number> => {
  other = spawn('sleep', ['60'], { argv0: name, cwd, stdio: 'ignore' });
  await once(other, 'spawn');
  await writeFile(join(cluster, 'postmaster.pid'), `${other.pid}\n`);
  return other.pid!;
};

const keepsLock = async (): Promise<boolean> => {
  await clearStaleLocks(cluster, folder, 5432);
  return existsSync(join(cluster, 'postmaster.pid'));
};

it('keeps a lock that may belong to a server of the cluster', async () => {
  const pid = await runAs('/usr/bin/postgres', cluster);
  expect(await keepsLock()).toBe(true);
  expect(await isGone(pid, cluster)).toBe(false);
});

it.each([
  ['another program', 'sleep', () => cluster],
  ['the server of another cluster', 'postgres', () => folder],
])('clears a lock whose process id belongs to %s', async (_, name, cwd) => {
  const pid = await runAs(name, cwd());
  expect(await keepsLock()).toBe(false);
  expect(await isGone(pid, cluster)).toBe(true);
});

it('leaves the lock of a dead process to PostgreSQL, and clears one without a process id', async () => {
  const pid = await runAs('postgres', cluster);
  other!.kill('SIGKILL');
  await once(other!, 'exit');
  expect(await isGone(pid, cluster)).toBe(true);
  expect(await keepsLock()).toBe(true);
  await writeFile(join(cluster, 'postmaster.pid'), '');
  expect(await keepsLock()).toBe(false);
});
