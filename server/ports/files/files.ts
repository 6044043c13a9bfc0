import type { Readable } from 'node:stream';

/**
 * Stores uploaded files by key. A key consists of one or more names separated by slashes, for example `ab/cdef0123`.
 */
export interface FileStore {
  /**
   * When this resolves, the file is complete and durable and has replaced an earlier one; when it rejects, nothing has
   * changed. Rejects with FileTooLargeError above the limit, or with the error of the content.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<{ size: number }>;
  /**
   * `size` is that of the whole file. `range` is as in HTTP: `end` is inclusive and may be beyond the last byte. The
   * stream must be read or destroyed.
   */
  read(key: string, range?: FileRange): Promise<{ size: number; stream: Readable } | undefined>;
  /** Removes a file if it exists. Open streams stay readable. */
  remove(key: string): Promise<void>;
  /** How much can still be stored. */
  freeBytes(): Promise<number>;
}

export interface FileRange {
  start: number;
  end: number;
}

export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
}

/** An invalid key: an attempt to leave the store, or a bug. */
export class InvalidFileKeyError extends Error {
  override name = 'InvalidFileKeyError';
}
