import type { Readable } from 'node:stream';

/** Keeps uploaded files by key. A key is one or more names divided by slashes, like `ab/cdef0123`. */
export interface FileStore {
  /**
   * The file is there whole and durable, replacing an earlier one, when this resolves; when it rejects, nothing has
   * changed. Rejects with FileTooLargeError beyond the limit, and with the content's own error when that fails.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<{ size: number }>;
  /**
   * `size` is that of the whole file, `range` as in HTTP: `end` is included and may lie beyond the last byte. The stream
   * must be read or destroyed.
   */
  read(key: string, range?: FileRange): Promise<{ size: number; stream: Readable } | undefined>;
  /** Whether it was there or not. Who is reading it reads on. */
  remove(key: string): Promise<void>;
}

export interface FileRange {
  start: number;
  end: number;
}

export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
}

/** Not a key of ours: an attempt to leave the store, or a mistake. */
export class InvalidFileKeyError extends Error {
  override name = 'InvalidFileKeyError';
}
