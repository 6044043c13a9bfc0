import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Ordered; each item has one key. */
export type SessionFields = Record<string, string>[];

/** Changes that are applied when the customer's last active chat ends. */
export interface PendingUpdate {
  name?: string;
  email?: string;
  avatar?: string;
  sessionFields?: SessionFields;
}

export interface CustomersTable {
  organizationId: string;
  id: string;
  name: string | null;
  email: string | null;
  avatar: string | null;
  sessionFields: ColumnType<SessionFields, string | undefined, string>;
  cookieSecretHash: Buffer | null;
  bannedUntil: Date | null;
  /** The only group in which this identity is valid. */
  groupId: ColumnType<number | null, number | null | undefined, number | null>;
  emailVerifiedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  pendingUpdate: ColumnType<PendingUpdate | null, string | undefined, string | null>;
  /** The id in the integrator's system of a visitor who chats through the chat-ops API. */
  visitorId: ColumnType<string | null, string | null | undefined, string | null>;
  userAgent: ColumnType<string | null, string | null | undefined, string | null>;
  referrer: ColumnType<string | null, string | null | undefined, string | null>;
  visitsCount: Generated<number>;
  pageViewsCount: Generated<number>;
  greetingsShownCount: Generated<number>;
  greetingsAcceptedCount: Generated<number>;
  createdAt: Date;
}

export interface CustomerTokensTable {
  organizationId: string;
  /** Keyed hash of the token, which itself is not stored. */
  id: Buffer;
  customerId: string;
  clientId: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Applies to one customer, or to all requests from an IP address. */
export interface BansTable {
  organizationId: string;
  id: string;
  customerId: string | null;
  ip: string | null;
  until: Date;
  bannedBy: string;
  createdAt: Date;
}

export interface EmailVerificationsTable {
  organizationId: string;
  id: string;
  customerId: string;
  email: string;
  callbackUri: string;
  /** Orders requests of the same millisecond. */
  number: GeneratedAlways<number>;
  createdAt: Date;
}
