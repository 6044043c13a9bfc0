import type { Selectable } from 'kysely';
import type { WithdrawalsTable } from '#server/storage/tables/ledger.ts';

export type WithdrawalRecord = Selectable<WithdrawalsTable>;

/** With whom to tell. */
export interface MovedWithdrawal extends WithdrawalRecord {
  contactName: string;
  contactEmail: string;
}
