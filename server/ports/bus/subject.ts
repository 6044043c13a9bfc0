import { createHash } from 'node:crypto';

const SAFE = /^[\w-]+(\.[\w-]+)*$/;
// The server closes a connection whose protocol line is longer than 4096 bytes.
const MAX_LENGTH = 512;

export const isSafeSubject = (text: string): boolean => text.length <= MAX_LENGTH && SAFE.test(text);

/**
 * The NATS subject of a topic. Topics with wildcards, spaces, empty tokens or excessive length are hashed; no safe
 * topic contains a %.
 */
export const subjectOf = (prefix: string, topic: string): string =>
  `${prefix}.${isSafeSubject(topic) ? topic : `%${createHash('sha256').update(topic).digest('hex')}`}`;

/** Where a process announces that others have missed its messages; no topic can have this subject. */
export const gapSubject = (prefix: string): string => `${prefix}.%gap`;
