import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 5;

/** Returns the milliseconds until the output matches `ready`, or without it until the command exits. */
const timeUntil = async (args: string[], dataDir: string, ready?: RegExp): Promise<number> => {
  const from = performance.now();
  const child = spawn('npm', args, {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  if (ready) {
    await new Promise<void>((resolve, reject) => {
      let text = '';
      child.stderr.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (ready.test(text)) resolve();
      });
      child.once('exit', () => reject(new Error(`npm exited early:\n${text}`)));
    });
  } else await ended;
  const milliseconds = performance.now() - from;
  child.kill('SIGTERM');
  await ended;
  return milliseconds;
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Measures the time from `npm start` in a prepared checkout until the server is ready, compared to `npm --version`. */
export const run = async (): Promise<void> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    const first = await timeUntil(['start', '--silent'], dataDir, /ready at/);
    const baseline: number[] = [];
    const restarts: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      baseline.push(await timeUntil(['--version'], dataDir));
      restarts.push(await timeUntil(['start', '--silent'], dataDir, /ready at/));
    }
    console.table([
      { name: 'npm --version', ms: Math.round(median(baseline)), 'ratio to npm --version': '1.00' },
      {
        name: 'npm start, new data directory',
        ms: Math.round(first),
        'ratio to npm --version': (first / median(baseline)).toFixed(2),
      },
      {
        name: 'npm start, existing data directory',
        ms: Math.round(median(restarts)),
        'ratio to npm --version': (median(restarts) / median(baseline)).toFixed(2),
      },
    ]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
