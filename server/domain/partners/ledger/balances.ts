import { sql } from 'kysely';
import type { Account } from '#server/storage/tables/ledger.ts';
import type { PartnerScope } from '../../scope.ts';

export type Balances = Record<Account, number>;

const EMPTY: Balances = { commission: 0, available: 0, held: 0, pending: 0, withdrawn: 0, discount: 0, saved: 0 };

/** The balance of each account of the partner, in cents. */
export const readBalances = async (ledger: Pick<PartnerScope, 'from'>): Promise<Balances> => {
  const rows = await ledger
    .from('ledgerTotals')
    .groupBy('account')
    .select(['account', sql<number>`sum(amount_cents)::bigint`.as('cents')])
    .execute();
  return { ...EMPTY, ...Object.fromEntries(rows.map(({ account, cents }) => [account, cents])) };
};

/** Serializes all postings to a partner's ledger until the end of the transaction. */
export const lockLedger = async (tx: PartnerScope): Promise<void> => {
  await tx.db
    .selectFrom('partners')
    .where('id', '=', tx.partnerId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
};
