import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoolConfig } from 'pg';

export interface StartingProcess {
  pid: number;
  dataDir: string;
  /** Resolves with the first match in the output (stderr). */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process has exited; its data directory remains. */
  ended: Promise<{ code: number | null; output: string }>;
  remove(): void;
}

export interface ServerProcess {
  url: string;
  process: StartingProcess;
  stop(): Promise<void>;
  /** Kills the process without a shutdown. */
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

/** Starts a server process like an operator does, on a free port with its own data directory. */
export const spawnProcess = (
  env: Record<string, string>,
  dataDir = mkdtempSync(path.join(tmpdir(), 'parley-e2e-')),
): StartingProcess => {
  const child = spawn(process.execPath, [path.join(ROOT, 'server/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DEMO: '0',
      SIGNUP: 'open',
      LOG_LEVEL: 'silent',
      OPERATOR_TOKEN,
      SECRET_KEY,
      // Like `npm start`: most of the startup time is compiling the source.
      NODE_COMPILE_CACHE: path.join(ROOT, '.runtime', 'compile-cache'),
      ...env,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, output }));
  return {
    pid: child.pid!,
    dataDir,
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const search = (): void => {
          const found = pattern.exec(output);
          if (found) resolve(found);
        };
        child.stderr.on('data', search);
        search();
        void ended.then(({ code }) => reject(new Error(`the server ended with ${code}:\n${output}`)));
      }),
    signal: (name) => void child.kill(name),
    ended,
    // A database that is shutting down may still write while its directory is removed.
    remove: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
};

/** Starts a server process and waits until it is ready. */
export const startProcess = async (env: Record<string, string>): Promise<ServerProcess> => {
  const started = spawnProcess(env);
  const [, url] = await started.waitForOutput(/ready at (\S+)/);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    started.signal(signal);
    const { code } = await started.ended;
    started.remove();
    return code;
  };
  return {
    url: url!,
    process: started,
    kill: async () => void (await end('SIGKILL')),
    stop: async () => {
      const code = await end('SIGTERM');
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    },
  };
};
