import type { Readable } from 'node:stream';
import { DomainError } from '../errors.ts';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export const fileTooLarge = (): DomainError => new DomainError('too_large', 'Upload limit exceeded (10MB).');

/** The part of the file storage port that the domain needs. Callers pass it in. */
export interface ContentStore {
  write(key: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<{ size: number }>;
  read(key: string): Promise<{ size: number; stream: Readable } | undefined>;
  remove(key: string): Promise<void>;
}
