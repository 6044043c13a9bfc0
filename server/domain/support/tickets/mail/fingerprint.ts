import { createHash } from 'node:crypto';

const NEWLINE = 10;
const RETURN = 13;

/** The end of the first empty line; mails without one have no headers. */
const bodyStart = (raw: Buffer): number => {
  const ends = ['\n\n', '\n\r\n'].flatMap((end) => {
    const at = raw.indexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return ends.length === 0 ? 0 : Math.min(...ends);
};

const headerOf = (head: string, name: string): string =>
  new RegExp(`^${name}:([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, 'im').exec(head)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';

/**
 * Identifies a mail regardless of the servers it passed, which add headers. Mails of two senders with the same
 * Message-ID are different. A mail without a Message-ID is recognized for a day.
 */
export const fingerprintOf = (raw: Buffer, receivedAt: Date): Buffer => {
  const start = bodyStart(raw);
  const head = raw.subarray(0, start).toString('latin1');
  const messageId = headerOf(head, 'message-id');
  const parts = [
    messageId || receivedAt.toISOString().slice(0, 10),
    ...['from', 'date', 'subject'].map((name) => headerOf(head, name)),
  ];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  // Trailing line breaks are lost and added in transit.
  let end = raw.length;
  while (end > start && (raw[end - 1] === NEWLINE || raw[end - 1] === RETURN)) end--;
  return hash.update(raw.subarray(start, end)).digest();
};
