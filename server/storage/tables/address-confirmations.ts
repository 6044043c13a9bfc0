import type { ColumnType } from 'kysely';

export type ConfirmationKind = 'customer' | 'agent' | 'partner' | 'support_address';

/** An email that asks its recipient to confirm the address. */
export interface AddressConfirmationsTable {
  /** The id of an organization or of a partner. */
  ownerId: string;
  /** Keyed hash of the secret in the email. */
  id: Buffer;
  kind: ConfirmationKind;
  /** The customer or agent; empty for a partner or a support address. */
  subjectId: string;
  address: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
