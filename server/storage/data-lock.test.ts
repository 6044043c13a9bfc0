import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDirectory } from './data-lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-lock-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

it('rejects a second holder and names the first until it releases the lock', async () => {
  let address = 'starting';
  const lock = await lockDataDirectory(folder, () => address);
  address = 'http://127.0.0.1:4000';
  await expect(lockDataDirectory(folder, () => '')).rejects.toThrow(
    `Another Parley server (pid ${process.pid}, http://127.0.0.1:4000) already uses ${folder}. Stop it or set DATA_DIR.`,
  );
  await lock.release();
  await (await lockDataDirectory(folder, () => '')).release();
});

it('recognizes a directory under any of its paths', async () => {
  const lock = await lockDataDirectory(join(folder, 'data'), () => 'here');
  await symlink(join(folder, 'data'), join(folder, 'alias'));
  await expect(lockDataDirectory(join(folder, 'alias'), () => '')).rejects.toThrow('here');
  await (await lockDataDirectory(join(folder, 'other'), () => '')).release();
  await lock.release();
});

it('is released when its holder is killed', async () => {
  const code = `
    import { lockDataDirectory } from ${JSON.stringify(new URL('./data-lock.ts', import.meta.url).href)};
    await lockDataDirectory(${JSON.stringify(folder)}, () => 'http://127.0.0.1:4001');
    process.stdin.resume();
    console.log('locked');`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  await expect(lockDataDirectory(folder, () => '')).rejects.toThrow(`(pid ${holder.pid}, http://127.0.0.1:4001)`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await lockDataDirectory(folder, () => '')).release();
});

it('rejects a second holder even if the first does not answer', async () => {
  const code = `
    import { lockDataDirectory } from ${JSON.stringify(new URL('./data-lock.ts', import.meta.url).href)};
    await lockDataDirectory(${JSON.stringify(folder)}, () => '');
    process.stdin.resume();
    console.log('locked');`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  holder.kill('SIGSTOP');
  await expect(lockDataDirectory(folder, () => '')).rejects.toThrow(`Another Parley server already uses ${folder}`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
});
