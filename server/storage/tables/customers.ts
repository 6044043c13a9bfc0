import type { ColumnType } from 'kysely';

/** Ordered; each item holds one key. */
export type SessionFields = Record<string, string>[];

export interface CustomersTable {
  organizationId: string;
  id: string;
  name: string | null;
  email: string | null;
  avatar: string | null;
  sessionFields: ColumnType<SessionFields, string | undefined, string>;
  cookieSecretHash: Buffer | null;
  bannedUntil: Date | null;
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
