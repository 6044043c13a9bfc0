import { createHash } from 'node:crypto';

const NEWLINE = 10;
const RETURN = 13;

/** Where the first empty line ends; mails without one are all body. */
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
 * The same for a mail however often and over whichever servers it comes: those add headers of their own. Two senders who
 * use the same Message-ID have written two mails. One without a Message-ID is known again for a day.
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
  // Trailing line ends are lost and added on the way.
  let end = raw.length;
  while (end > start && (raw[end - 1] === NEWLINE || raw[end - 1] === RETURN)) end--;
  return hash.update(raw.subarray(start, end)).digest();
};
