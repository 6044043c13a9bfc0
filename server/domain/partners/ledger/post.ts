import type { Insertable } from 'kysely';
import type { Account, LedgerTransactionsTable } from '#server/storage/tables/ledger.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import type { PartnerScope, Transaction } from '../../scope.ts';
import { lockLedger } from './balances.ts';
import { endOfMonth } from './months.ts';
import { sumTransaction } from './sums.ts';

/** A ledger transaction with its entries. `externalId` is its idempotency key. */
export type Posting = Omit<Insertable<LedgerTransactionsTable>, 'partnerId' | 'recordedAt'> & {
  /** Cents by account, which sum to zero. Zero amounts are not written. */
  entries: Partial<Record<Account, number>>;
};

/** A month with a statement is closed: the posting is recorded after it, even if the clock is behind. */
const recordingTime = async (tx: PartnerScope): Promise<Date> => {
  const now = tx.now();
  const last = await tx.from('statements').orderBy('month', 'desc').select('month').limit(1).executeTakeFirst();
  const closedUntil = last && endOfMonth(last.month);
  return closedUntil && closedUntil > now ? closedUntil : now;
};

/**
 * Posts a transaction to the partner's ledger. Returns false without writing if one with the same `externalId` exists or if all
 * amounts are zero. The database rejects transactions that do not sum to zero. The ledger stays locked until the end of the
 * database transaction.
 */
export const post = async (tx: Transaction<PartnerScope>, { entries, ...transaction }: Posting): Promise<boolean> => {
  const lines = Object.entries(entries).filter(([, cents]) => cents !== 0) as [Account, number][];
  if (lines.length === 0) return false;
  await lockLedger(tx);
  const written = await tx
    .insert('ledgerTransactions', { ...transaction, recordedAt: await recordingTime(tx) })
    .onConflict((conflict) => conflict.columns(['partnerId', 'externalId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!written) return false;
  const rows = lines.map(([account, amountCents], line) => ({ transactionId: written.id, line, account, amountCents }));
  await tx.insert('ledgerEntries', rows).execute();
  await sumTransaction(tx, written.id);
  if (transaction.organizationId && entries.commission)
    await enqueueProjection(tx, 'partner_performance', [transaction.organizationId]);
  return true;
};
