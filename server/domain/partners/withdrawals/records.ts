import type { Selectable } from 'kysely';
import type { WithdrawalsTable } from '#server/storage/tables/ledger.ts';

export type WithdrawalRecord = Selectable<WithdrawalsTable>;

/** The partner to notify. */
export interface MovedWithdrawal extends WithdrawalRecord {
  contactName: string;
  contactEmail: string;
}
