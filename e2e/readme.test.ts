import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);

const root = path.join(import.meta.dirname, '..');
const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-readme-'));
// The walk-through calls `node`, which must be the version that runs this test.
const env = { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}` };

let server: ChildProcess;
let url: string;

// On a busy machine, creating the database and the demo shop takes a while.
const START_TIMEOUT_MS = 180_000;
const READY = /^Parley is ready at (\S+)$/;

beforeAll(async () => {
  server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: server.stderr! })) {
    output.push(line);
    url = READY.exec(line)?.[1] ?? '';
    if (url) break;
  }
  if (!url) throw new Error(`The server did not start:\n${output.join('\n')}`);
  // Nothing reads the rest of the output, and a full pipe would block the server.
  server.stderr!.resume();
}, START_TIMEOUT_MS);

afterAll(async () => {
  const ended = once(server, 'exit');
  if (server.exitCode === null && server.kill()) await ended;
  rmSync(dataDir, { recursive: true, force: true });
});

const readWalkThrough = (): string => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const part = readme.split('<!-- walk-through -->')[1]?.split('<!-- /walk-through -->')[0] ?? '';
  return [...part.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('');
};

it('the walk-through of the README works as printed', async () => {
  const { stdout } = await run('sh', ['-eu', '-c', readWalkThrough()], {
    cwd: root,
    env: { ...env, PARLEY_URL: url, PARLEY_DATA: dataDir },
  });
  expect(stdout).toMatch(/^organization [0-9a-f-]{36}, owner \S+@\S+\n/);
  const threadId = /"thread_id":"(\w{10})"/.exec(stdout)![1];
  expect(stdout).toContain(`{"event_id":"${threadId}_`);
  expect(stdout).toContain('\nDo you ship to Norway?\n');
  expect(stdout).toContain("text: 'And how long does it take?'");
  expect(stdout).toContain('login true\n');
  expect(stdout).toContain('incoming_event Hello?\n');
});
