import type { Selectable } from 'kysely';
import type { ChargesTable } from '#server/storage/tables/resellers.ts';

/** The email to a reseller about a failed renewal. */
export interface FailedRenewal {
  to: { name: string; address: string };
  clientName: string;
  reason: string;
  card: string;
  amountCents: number;
  /** Absent after the last attempt. */
  nextChargeAt?: Date;
}

export type ChargeRecord = Selectable<ChargesTable>;
