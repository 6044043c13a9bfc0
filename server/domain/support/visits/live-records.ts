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
  /** The message of a greeting shown on this page. */
  invitation?: string;
}

export interface LiveChat {
  threadId: string;
  groupIds: number[];
  startedAt: Date;
  queuedAt?: Date;
  agents: { login: string; name: string }[];
  /** Answers of the pre-chat survey. */
  surveys: unknown[][];
}

/** A visitor who is on the site now. */
export interface LiveVisitor {
  customerId: string;
  /** The visitor id of the customer's own program, or else the customer id. */
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
  /** Absent for visitors who chat without a tracked page. */
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
