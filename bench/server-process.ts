import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLOCK_TICKS_PER_SECOND = 100;

export interface ServerProcess {
  url: string;
  pid: number;
  dataDir: string;
  operatorToken: string;
  /** Total CPU time in seconds. */
  cpuSeconds(): number;
  /** The current resident set size. */
  residentBytes(): number;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the server again with the same data directory. */
  restart(): Promise<ServerProcess>;
  stop(): Promise<void>;
}

export interface ServerSettings {
  dataDir?: string;
  env?: Record<string, string>;
  script?: string;
}

const readUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /ready at (\S+)/.exec(text)?.[1];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}:\n${text}`)));
  });

/** Starts a server process with its own data directory, as an operator would. */
export const startServerProcess = async (settings: ServerSettings = {}): Promise<ServerProcess> => {
  const dataDir = settings.dataDir ?? mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const env = {
    PORT: '0',
    DEMO: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    ...settings.env,
    DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [path.join(ROOT, settings.script ?? 'server/main.ts')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const url = await readUrl(child);
  const pid = child.pid!;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    url,
    pid,
    dataDir,
    operatorToken: readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim(),
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
    },
    residentBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024,
    kill: end,
    restart: () => startServerProcess({ ...settings, dataDir }),
    stop: async () => {
      await end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
