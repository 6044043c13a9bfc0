import type { ColumnType, Generated } from 'kysely';
import type { SessionFields } from './customers.ts';

/** A thread whose entry has to be written anew. */
export interface ArchiveMarksTable {
  organizationId: string;
  id: Generated<number>;
  threadId: string;
}

/** What an ended thread is found by; its `words` are written and asked for by hand. */
export interface ArchiveEntriesTable {
  organizationId: string;
  threadId: string;
  chatId: string;
  startedAt: Date;
  facts: number[];
  /** The day of UTC on which it started, as `YYYY-MM-DD`, and its number among the entries of that day. */
  day: string;
  slot: number;
  /** As they were when the thread had ended. */
  sessionFields: ColumnType<SessionFields, string, string>;
}

/** Which entries of a day have a fact; written and asked for by hand. */
export interface ArchiveBitsTable {
  organizationId: string;
  fact: string;
  day: string;
  /** So many entries have numbers below those of this one's bits: 1024 times this. */
  part: number;
  bits: string;
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
