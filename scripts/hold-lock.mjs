import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs the work while holding a lock file, so that concurrent starts do not install at the same time. */
export async function holdLock(path, work) {
  const ownFile = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(ownFile, `${process.pid}`);
  try {
    while (!acquire(path, ownFile)) await delay(100);
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
}

// A hard link is created atomically with its content, so the lock file always contains the process ID of its holder.
function acquire(path, ownFile) {
  try {
    linkSync(ownFile, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isHeld(path)) removeStaleLock(path, `${ownFile}.stale`);
  return false;
}

// Another process may have replaced the stale lock in the meantime; a lock that turns out to be held is restored.
function removeStaleLock(path, stalePath) {
  try {
    renameSync(path, stalePath);
    if (isHeld(stalePath)) linkSync(stalePath, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(stalePath, { force: true });
}

function isHeld(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
