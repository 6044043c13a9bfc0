import type { Generated } from 'kysely';

export type OutgoingMailState = 'pending' | 'failed';

export interface OutgoingMailsTable {
  /** An organization's or a partner's id. */
  ownerId: string;
  id: Generated<string>;
  kind: string;
  /** 0 is sent first. */
  priority: number;
  /** The mail as encrypted JSON. */
  contentSealed: Buffer;
  state: Generated<OutgoingMailState>;
  attempts: Generated<number>;
  nextAttemptAt: Date;
  lastError: string | null;
  createdAt: Date;
  failedAt: Date | null;
}
