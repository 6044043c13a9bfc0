import type { Generated } from 'kysely';

/** What an ended thread is found by; its column `words` is used in hand-written statements only. */
export interface ArchiveEntriesTable {
  organizationId: string;
  threadId: string;
  startedAt: Date;
  facts: number[];
  /** The UTC day on which it started, as `YYYY-MM-DD`, and its position in the bitmaps of that day. */
  day: string;
  slot: number;
}

/** Which entries of a day have a fact; used in hand-written statements only. */
export interface ArchiveBitmapsTable {
  organizationId: string;
  fact: string;
  day: string;
  /** Its first bit is that of the slot 1024 times this. */
  part: number;
  bitmap: string;
}

/** Somebody who chats without a widget. */
export interface VisitorSessionsTable {
  organizationId: string;
  /** Keyed hash of the session's secret. */
  id: Buffer;
  customerId: string;
  chatId: string;
  /** How much was said in the chat before the session began. */
  fromPosition: number;
  createdAt: Date;
  expiresAt: Date;
}

export interface TranscriptMailsTable {
  organizationId: string;
  id: Generated<number>;
  threadId: string;
  /** In lower case. */
  recipient: string;
  sentBy: string;
  createdAt: Date;
}
