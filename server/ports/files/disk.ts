import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type FileRange, type FileStore, FileTooLargeError, InvalidFileKeyError } from './files.ts';

// No name starts with a dot, so neither `..` nor the folder of unfinished files can be reached.
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const MAX_KEY_LENGTH = 200;
const UNFINISHED = '.unfinished';
// An active upload writes more often than this.
const STALE_AFTER = 15 * 60_000;

export const openDiskStore = async (directory: string): Promise<FileStore> => {
  const root = resolve(directory);
  // Beside the files instead of in the system's temporary folder, because a rename is atomic only within one file
  // system.
  const unfinished = join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeStale(unfinished);

  const pathOf = (key: string): string => {
    if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new InvalidFileKeyError('not a file key');
    return join(root, key);
  };

  return {
    async write(key, content, { maxBytes }) {
      const path = pathOf(key);
      const draft = join(unfinished, randomUUID());
      try {
        const size = await writeDraft(draft, content, maxBytes);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(draft, path);
        await syncFolders(root, dirname(path));
        return { size };
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async read(key, range) {
      const path = pathOf(key);
      if (range && !isRange(range)) throw new RangeError('not a range of a file');
      const handle = await openExisting(path);
      if (!handle) return undefined;
      const stats = await handle.stat();
      if (!stats.isFile()) {
        await handle.close();
        return undefined;
      }
      return { size: stats.size, stream: handle.createReadStream(range) };
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async freeBytes() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
};

const writeDraft = async (path: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> => {
  const handle = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new FileTooLargeError(`a file may have at most ${maxBytes} bytes`);
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
};

/** A rename survives a power failure only after its folder is synced, and the folder only after its parent. */
const syncFolders = async (root: string, folder: string) => {
  for (let current = folder; ; current = dirname(current)) {
    const handle = await open(current, 'r');
    await handle.sync().finally(() => handle.close());
    if (current === root) return;
  }
};

const isRange = ({ start, end }: FileRange): boolean =>
  Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end;

const openExisting = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

/** Leftovers of a crash. A recent one may belong to another process. */
const removeStale = async (folder: string) => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > STALE_AFTER) await rm(path, { force: true });
  }
};
