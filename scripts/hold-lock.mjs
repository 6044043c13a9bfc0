import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs the work while holding a lock file, so that two starts at once do not install over each other. */
export async function holdLock(path, work) {
  const mine = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(mine, `${process.pid}`);
  try {
    while (!take(path, mine)) await delay(100);
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

// A link appears at once and with its content, so nobody ever reads a lock without the id of its holder.
function take(path, mine) {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isHeld(path)) moveAway(path, `${mine}.stale`);
  return false;
}

// Another process may have replaced the stale lock meanwhile: what turns out to be held goes back.
function moveAway(path, aside) {
  try {
    renameSync(path, aside);
    if (isHeld(aside)) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function isHeld(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
