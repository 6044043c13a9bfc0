import type { Selectable } from 'kysely';
import type { ChargesTable } from '#server/storage/tables/resellers.ts';

/** What a reseller is told when a renewal failed. */
export interface FailedRenewal {
  to: { name: string; address: string };
  clientName: string;
  reason: string;
  card: string;
  amountCents: number;
  /** Absent: it was the last time. */
  nextChargeAt?: Date;
}

export type ChargeRecord = Selectable<ChargesTable>;
