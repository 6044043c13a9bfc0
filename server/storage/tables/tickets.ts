import type { ColumnType, Generated, JSONColumnType } from 'kysely';

export const TICKET_STATUSES = ['open', 'pending', 'solved', 'spam'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** `lc2`: from the archive of chats, or by the API. */
export const TICKET_SOURCES = ['lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window'] as const;
export type TicketSource = (typeof TICKET_SOURCES)[number];

export type TicketRating = 'good' | 'bad';
export type TicketAuthorType = 'client' | 'agent' | 'system';

export type TicketEventType =
  | 'message'
  | 'assignee_changed'
  | 'status_changed'
  | 'group_changed'
  | 'tags_changed'
  | 'subject_changed'
  | 'rating'
  | 'merged';

type Absent<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface TicketsTable {
  organizationId: string;
  id: string;
  subject: string;
  status: TicketStatus;
  requesterMail: string;
  requesterName: string;
  assigneeId: string | null;
  groupIds: number[];
  tags: Generated<string[]>;
  sourceType: TicketSource;
  sourceUrl: Absent<string>;
  /** The thread, or the event with a filled form, that it was made from. */
  sourceId: Absent<string>;
  rating: Absent<TicketRating>;
  ratedAt: Absent<Date>;
  firstResponseAt: Absent<Date>;
  firstResponseBy: Absent<string>;
  /** Null while it is not solved. */
  solvedAt: Absent<Date>;
  solvedBy: Absent<string>;
  /** Only machines have written to it, so nobody is mailed because of it. */
  silent: Generated<boolean>;
  mergedInto: Absent<string>;
  createdAt: Date;
  modifiedAt: Date;
}

export interface TicketEventsTable {
  organizationId: string;
  id: Generated<number>;
  ticketId: string;
  type: TicketEventType;
  authorType: TicketAuthorType;
  authorId: string;
  authorName: string;
  isPrivate: Generated<boolean>;
  content: JSONColumnType<object>;
  /** Through which tickets a merge brought it here, the last one last. */
  formerTicketIds: Generated<string[]>;
  createdAt: Date;
}

/** What a ticket is found by; its column `words` is used in hand-written statements only. */
export interface TicketSearchTable {
  organizationId: string;
  ticketId: string;
}

export interface TicketMessageIdsTable {
  organizationId: string;
  ticketId: string;
  messageId: string;
  isOurs: boolean;
  createdAt: Date;
}

export interface IncomingMailsTable {
  organizationId: string;
  id: string;
  fingerprint: Buffer;
  /** Empty: a machine that wants no answer. */
  envelopeFrom: string;
  recipients: string[];
  size: number;
  storageKey: string;
  receivedAt: Date;
  attempts: Generated<number>;
  /** Null once it is filed. */
  nextAttemptAt: Date | null;
  sender: Absent<string>;
  ticketId: Absent<string>;
  filedAt: Absent<Date>;
}
