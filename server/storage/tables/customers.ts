import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Ordered; each item holds one key. */
export type SessionFields = Record<string, string>[];

/** What waits until the customer's last active chat ends. */
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
  /** The one group this identity is for. */
  groupId: ColumnType<number | null, number | null | undefined, number | null>;
  emailVerifiedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  pending: ColumnType<PendingUpdate | null, string | undefined, string | null>;
  /** The id that a program chose who chats without a widget. */
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
  /** Keyed hash of the token; the token itself is never kept. */
  id: Buffer;
  customerId: string;
  clientId: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Of one customer, or of everybody who calls from an address. */
export interface BansTable {
  organizationId: string;
  id: string;
  customerId: string | null;
  ip: string | null;
  until: Date;
  bannedBy: string;
  createdAt: Date;
}

export interface EmailLinksTable {
  organizationId: string;
  /** Keyed hash of the secret in the link. */
  id: Buffer;
  customerId: string;
  email: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface EmailVerificationsTable {
  organizationId: string;
  id: string;
  customerId: string;
  email: string;
  callbackUri: string;
  /** Tells the order of what was asked in the same millisecond. */
  number: GeneratedAlways<number>;
  createdAt: Date;
}
