import { StatementError } from './statement-text.ts';

/** A stored statement with its position in the hash chain. */
export interface SealedStatement {
  content: string;
  previousHash: Buffer;
  hash: Buffer;
}

/** The file that a partner downloads: the text followed by both hashes. */
export const writeStatementFile = ({ content, previousHash, hash }: SealedStatement): string =>
  `${content}\nprevious ${previousHash.toString('hex')}\nhash ${hash.toString('hex')}\n`;

const FOOT = /\nprevious ([0-9a-f]{64})\nhash ([0-9a-f]{64})\n$/;

export const readStatementFile = (text: string): SealedStatement => {
  // Other line endings are accepted.
  const clean = text.replaceAll('\r\n', '\n');
  const [foot, previous, hash] = FOOT.exec(clean) ?? [];
  if (foot === undefined) throw new StatementError('the hashes are missing');
  return {
    content: clean.slice(0, -foot.length),
    previousHash: Buffer.from(previous!, 'hex'),
    hash: Buffer.from(hash!, 'hex'),
  };
};
