import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 5;

/** Milliseconds until the command prints what we wait for, or ends when there is nothing to wait for. */
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
      child.once('exit', () => reject(new Error(`it ended early:\n${text}`)));
    });
  } else await ended;
  const milliseconds = performance.now() - from;
  child.kill('SIGTERM');
  await ended;
  return milliseconds;
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** From `npm start` on a prepared checkout to ready. The floor is npm doing nothing. */
export const run = async (): Promise<void> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  try {
    const first = await timeUntil(['start', '--silent'], dataDir, /ready at/);
    const floor: number[] = [];
    const again: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(await timeUntil(['--version'], dataDir));
      again.push(await timeUntil(['start', '--silent'], dataDir, /ready at/));
    }
    console.table([
      { what: 'npm doing nothing', ms: Math.round(median(floor)), 'ratio to npm doing nothing': '1.00' },
      {
        what: 'npm start, new data directory',
        ms: Math.round(first),
        'ratio to npm doing nothing': (first / median(floor)).toFixed(2),
      },
      {
        what: 'npm start, again',
        ms: Math.round(median(again)),
        'ratio to npm doing nothing': (median(again) / median(floor)).toFixed(2),
      },
    ]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
