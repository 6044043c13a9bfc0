import type { ColumnType, Generated } from 'kysely';
import type { SessionFields } from './customers.ts';

/** `{namespace: {name: value}}` */
export type Properties = Record<string, Record<string, unknown>>;
export type PropertiesColumn = ColumnType<Properties, string | undefined, string>;

export type Visibility = 'all' | 'agents';
export type UserKind = 'customer' | 'agent';
export type AuthorKind = UserKind | 'system';

export interface ChatsTable {
  organizationId: string;
  id: string;
  customerId: string;
  groupIds: number[];
  properties: PropertiesColumn;
  active: boolean;
  continuous: Generated<boolean>;
  anonymized: Generated<boolean>;
  lastThreadId: string;
  lastThreadCreatedAt: Date;
  eventCount: Generated<number>;
  lastEventAt: Date | null;
  /** The newest public event of each type: `{type: [threadId, number, numberOfChanges]}`. */
  lastEvents: ColumnType<Record<string, [string, number, number?]>, string | undefined, string>;
  /** The assigned agent. The chat counts toward the agent's chat limit. */
  assigneeId: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: Date;
}

export interface ThreadsTable {
  organizationId: string;
  id: string;
  chatId: string;
  active: boolean;
  groupIds: number[];
  properties: PropertiesColumn;
  tags: Generated<string[]>;
  previousThreadId: string | null;
  nextThreadId: string | null;
  createdAt: Date;
  closedAt: Date | null;
  /** The customer's session fields when the thread ended. */
  sessionFields: ColumnType<SessionFields | null, string | null | undefined, string | null>;
}

export interface EventsTable {
  organizationId: string;
  threadId: string;
  /** Counts from 1 within the thread, without gaps. */
  number: number;
  chatId: string;
  type: string;
  authorKind: AuthorKind;
  authorId: string | null;
  customId: string | null;
  visibility: Visibility;
  content: ColumnType<Record<string, unknown>, string, string>;
  properties: PropertiesColumn;
  createdAt: Date;
}

/** Events whose follow-up is not done yet. */
export interface EventFollowUpsTable {
  organizationId: string;
  threadId: string;
  number: number;
}

export interface ChatUsersTable {
  organizationId: string;
  chatId: string;
  kind: UserKind;
  userId: string;
  present: boolean;
  seenUpTo: Date | null;
  joinedAt: Date;
  /** `agents`: a silent supervisor, who is invisible to the customer. */
  visibility: Generated<Visibility>;
}

export interface ThreadAgentsTable {
  organizationId: string;
  threadId: string;
  agentId: string;
}
