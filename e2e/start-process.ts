import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoolConfig } from 'pg';

export interface ServerProcess {
  url: string;
  stop(): Promise<void>;
  /** Ends it at once, with whatever it has in hand. */
  kill(): Promise<void>;
}

export const OPERATOR_TOKEN = 'operator-token-for-tests';
const SECRET_KEY = 'secret-key-for-tests-only';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export const toDatabaseUrl = ({ user, password, host, port, database }: PoolConfig): string => {
  const url = new URL(`postgres://localhost:${port}/${database}`);
  url.username = String(user);
  if (typeof password === 'string') url.password = password;
  url.searchParams.set('host', String(host));
  return url.href;
};

const readUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /ready at (\S+)/.exec(said)?.[1];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)));
  });

/** A server as an operator runs it, on a free port and a directory of its own. Ends in the way it would be stopped. */
export const startProcess = async (env: Record<string, string>): Promise<ServerProcess> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-e2e-'));
  const child = spawn(process.execPath, [path.join(ROOT, 'server/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'silent',
      OPERATOR_TOKEN,
      SECRET_KEY,
      ...env,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
      rmSync(dataDir, { recursive: true, force: true });
    },
    url: await readUrl(child),
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exit;
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    },
  };
};
