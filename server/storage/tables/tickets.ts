import type { ColumnType, Generated, JSONColumnType } from 'kysely';

export const TICKET_STATUSES = ['open', 'pending', 'solved', 'spam'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** `lc2`: created from an archived chat or by the API. */
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
  /** The thread or the filled form event from which it was created. */
  sourceId: Absent<string>;
  rating: Absent<TicketRating>;
  ratedAt: Absent<Date>;
  firstResponseAt: Absent<Date>;
  firstResponseBy: Absent<string>;
  /** Null until it is solved. */
  solvedAt: Absent<Date>;
  solvedBy: Absent<string>;
  /** The ticket contains only automatic email, so no email is sent for it. */
  suppressEmail: Generated<boolean>;
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
  /** The tickets from which it was moved by merges, most recent last. */
  formerTicketIds: Generated<string[]>;
  createdAt: Date;
}

/** The search index entry of a ticket. Its column `words` is used only in hand-written SQL. */
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
  /** Empty for automatic email that must not be answered. */
  envelopeFrom: string;
  recipients: string[];
  size: number;
  storageKey: string;
  receivedAt: Date;
  attempts: Generated<number>;
  /** Null once it is added to a ticket. */
  nextAttemptAt: Date | null;
  sender: Absent<string>;
  ticketId: Absent<string>;
  filedAt: Absent<Date>;
}
