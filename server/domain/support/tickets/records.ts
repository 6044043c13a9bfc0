import type { TicketAuthorType, TicketRating, TicketSource, TicketStatus } from '#server/storage/tables/tickets.ts';

export type { TicketRating, TicketSource, TicketStatus } from '#server/storage/tables/tickets.ts';

export interface TicketAuthor {
  type: TicketAuthorType;
  /** An email address or an agent's login; empty for the system. */
  id: string;
  name: string;
}

/** The mail was sent automatically, so it is stored but never answered. */
export type Automatic = 'auto_reply' | 'bounce' | 'loop' | 'too_many';

export interface TicketFile {
  id: string;
  name: string;
  url: string;
  contentType: string;
  size: number;
}

export interface MessageContent {
  type: 'message';
  message: string;
  /** Sanitized; present if the mail had HTML. */
  html?: string;
  source: TicketSource;
  files?: TicketFile[];
  /** Attachments that could not be stored. */
  dropped?: string[];
  automatic?: Automatic;
  /** The mail could not be parsed; the original is attached. */
  malformed?: boolean;
  /** Whether the message was mailed to the requester. */
  mailed?: boolean;
}

export type TicketContent =
  | MessageContent
  | { type: 'assignee_changed'; to: { id: string; name: string } | null }
  | { type: 'status_changed'; from: TicketStatus; to: TicketStatus }
  | { type: 'group_changed'; from: number[]; to: number[] }
  | { type: 'tags_changed'; from: string[]; to: string[] }
  | { type: 'subject_changed'; from: string; to: string }
  /** `agentId` is the agent whose work was rated. */
  | { type: 'rating'; rate: TicketRating; agentId?: string }
  | { type: 'merged'; direction: 'from' | 'into'; ticket: { id: string; subject: string }; undone?: boolean };

export interface TicketEvent {
  author: TicketAuthor;
  createdAt: Date;
  isPrivate: boolean;
  content: TicketContent;
}

export interface TicketRecord {
  id: string;
  subject: string;
  status: TicketStatus;
  requester: { mail: string; name: string };
  assignee?: { id: string; name: string };
  groupIds: number[];
  tags: string[];
  source: { type: TicketSource; url?: string; id?: string };
  rating?: TicketRating;
  firstResponse?: { at: Date; agentId: string };
  mergedInto?: string;
  createdAt: Date;
  modifiedAt: Date;
  /** When the ticket was created and reopened. */
  openedAt: Date[];
  events: TicketEvent[];
}

export interface TicketPage {
  items: TicketRecord[];
  total: number;
  pages: number;
}

export const MAX_MESSAGE_CHARACTERS = 200_000;
export const MAX_SUBJECT_CHARACTERS = 500;
export const NO_SUBJECT = '(no subject)';
