import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Place } from '#server/storage/tables/visits.ts';

export const visitorStates = [
  'chatting',
  'queued',
  'browsing',
  'invited',
  'refused invitation',
  'chat closed',
  'logging into chat',
] as const;
export type LiveState = (typeof visitorStates)[number];

export interface LivePage {
  url: string;
  title: string | null;
  openedAt: Date;
  /** What a greeting said there. */
  invitation?: string;
}

export interface LiveChat {
  threadId: string;
  groupIds: number[];
  startedAt: Date;
  queuedAt?: Date;
  agents: { login: string; name: string }[];
  /** What was answered before the chat. */
  surveys: unknown[][];
}

/** Somebody who is on the site now. */
export interface LiveVisitor {
  customerId: string;
  /** What others call it: an id of its own program, or the customer's. */
  id: string;
  name?: string;
  state: LiveState;
  groupId: number;
  sessionFields: SessionFields;
  visitsCount: number;
  pageViewsCount: number;
  chatsCount: number;
  greetings: { shown: number; accepted: number; refused: number };
  invitation?: string;
  chat?: LiveChat;
  /** Absent for who chats without being seen on a page. */
  visitStartedAt?: Date;
  previousVisitAt?: Date;
  pages: LivePage[];
  referrer?: string;
  searchKeyword?: string;
  ip?: string;
  userAgent?: string;
  language?: string;
  timezone?: string;
  place: Place;
}
