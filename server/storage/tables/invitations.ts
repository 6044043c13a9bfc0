import type { ColumnType, GeneratedAlways } from 'kysely';

export interface InvitationsTable {
  id: GeneratedAlways<number>;
  /** Keyed hash of the code in the link. */
  codeHash: Buffer;
  kind: 'organization' | 'partner';
  /** The only address that may use it, in lower case; null means any. */
  email: string | null;
  createdAt: Date;
  expiresAt: Date;
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
