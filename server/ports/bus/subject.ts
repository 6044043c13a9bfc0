import { createHash } from 'node:crypto';

const SAFE = /^[\w-]+(\.[\w-]+)*$/;
// The server ends a connection whose protocol line is longer than 4096 bytes.
const MAX_LENGTH = 512;

export const isSafeSubject = (text: string): boolean => text.length <= MAX_LENGTH && SAFE.test(text);

/** The NATS subject of a topic. Wildcards, blanks, empty tokens and great length are hashed away; no safe topic holds a %. */
export const subjectOf = (prefix: string, topic: string): string =>
  `${prefix}.${isSafeSubject(topic) ? topic : `%${createHash('sha256').update(topic).digest('hex')}`}`;

/** Where a process tells the others that they have missed messages of its own; no topic can have this subject. */
export const gapSubject = (prefix: string): string => `${prefix}.%gap`;
