import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { startEmbeddedPostgres } from '#server/storage/embedded.ts';

export interface TestPostgres {
  connection: ClientConfig;
  stop(): Promise<void>;
}

/** Starts a temporary PostgreSQL server for the whole test run, or uses the one at TEST_DATABASE_URL. */
export const startTestPostgres = async (): Promise<TestPostgres> => {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: { connectionString: url }, stop: async () => {} };

  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const stopWatching = stopWhenOrphaned(server.pid, dataDir);
  return {
    connection: server.connection,
    stop: async () => {
      stopWatching();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

// The embedded server outlives its parent by design. To clean up after a killed test run, a shell waits for the end of its
// input, which is closed whenever this process exits.
const stopWhenOrphaned = (pid: number, dataDir: string): (() => void) => {
  const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
  const script = 'read -r _; kill -INT "$1"; while kill -0 "$1" && test -e "$3"; do sleep 0.1; done; rm -rf "$2"';
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', `${pid}`, dataDir, lockFile], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as Socket).unref();
  return () => watcher.kill('SIGKILL');
};
