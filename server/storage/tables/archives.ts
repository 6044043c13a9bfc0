import type { Generated } from 'kysely';

/** The search index entry of an ended thread. Its column `words` is used only in hand-written SQL. */
export interface ArchiveEntriesTable {
  organizationId: string;
  threadId: string;
  startedAt: Date;
  facts: number[];
  /** The UTC day on which it started, as `YYYY-MM-DD`, and its position in the bitmaps of that day. */
  day: string;
  slot: number;
}

/** A bitmap of the entries of a day that have a fact. Used only in hand-written SQL. */
export interface ArchiveBitmapsTable {
  organizationId: string;
  fact: string;
  day: string;
  /** The first bit belongs to slot 1024 × `part`. */
  part: number;
  bitmap: string;
}

/** A session of a visitor who chats through the chat-ops API instead of the widget. */
export interface VisitorSessionsTable {
  organizationId: string;
  /** Keyed hash of the session secret. */
  id: Buffer;
  customerId: string;
  /** The visitor id that the session was started with. */
  visitorId: string | null;
  chatId: string;
  /** The number of messages in the chat before the session started. The session does not show them. */
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
  /** Whether the recipient is neither the customer nor an agent. */
  toStranger: boolean;
  sentBy: string;
  createdAt: Date;
}
