import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartError } from './start-error.ts';

export interface DataLock {
  release(): Promise<void>;
}

/** Another process uses the data directory. */
export class DataDirectoryInUse extends StartError {}

/**
 * Locks a data directory for this process. The lock is an abstract Unix socket: there is no file that could become
 * stale, and the kernel releases it when the process ends. A connecting process receives the name of the holder.
 */
export const lockDataDirectory = async (dataDir: string, describe: () => string): Promise<DataLock> => {
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
  const real = await realpath(dataDir);
  const address = `\0parley-${createHash('sha256').update(real).digest('hex')}`;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`pid ${process.pid}, ${describe()}`);
  });
  try {
    await listen(server, address);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    const holder = await readHolder(address);
    throw new DataDirectoryInUse(`Another Parley server${holder} already uses ${real}. Stop it or set DATA_DIR.`, {
      cause,
    });
  }
  server.unref();
  return {
    release: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};

const listen = async (server: Server, address: string): Promise<void> => {
  server.listen(address);
  await once(server, 'listening');
};

const readHolder = async (address: string): Promise<string> => {
  const socket = connect(address);
  const timer = setTimeout(() => socket.destroy(new Error('No response')), 1000);
  try {
    // Any local process could use that name, so only printable text is shown in the terminal.
    const answer = (await text(socket)).replace(/[^\x20-\x7e]/g, '').slice(0, 200);
    return answer && ` (${answer})`;
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
};
