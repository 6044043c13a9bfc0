import type { Insertable } from 'kysely';
import type { Account, LedgerTransactionsTable } from '#server/storage/tables/ledger.ts';
import type { PartnerScope, Transaction } from '../../scope.ts';
import { lockBook } from './balances.ts';
import { endOfMonth } from './months.ts';

/** What a transaction says of itself. Its `externalId` names what it stands for. */
export type Posting = Omit<Insertable<LedgerTransactionsTable>, 'partnerId' | 'recordedAt'> & {
  /** Cents by account, which sum to zero; a zero is no entry. */
  entries: Partial<Record<Account, number>>;
};

/** A month that has its statement is closed for good, whatever a clock says. */
const recordingTime = async (tx: PartnerScope): Promise<Date> => {
  const now = tx.now();
  const last = await tx.from('statements').orderBy('month', 'desc').select('month').limit(1).executeTakeFirst();
  const closedUntil = last && endOfMonth(last.month);
  return closedUntil && closedUntil > now ? closedUntil : now;
};

/**
 * Writes into the partner's book, unless the same was written before: then nothing happens, and the answer is `false`.
 * The database refuses what does not sum to zero. A posting that moves nothing is none. The book is held until the end of
 * the transaction, so that one follows the other.
 */
export const post = async (tx: Transaction<PartnerScope>, { entries, ...transaction }: Posting): Promise<boolean> => {
  const lines = Object.entries(entries).filter(([, cents]) => cents !== 0) as [Account, number][];
  if (lines.length === 0) return false;
  await lockBook(tx);
  const written = await tx
    .insert('ledgerTransactions', { ...transaction, recordedAt: await recordingTime(tx) })
    .onConflict((conflict) => conflict.columns(['partnerId', 'externalId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!written) return false;
  const rows = lines.map(([account, amountCents], line) => ({ transactionId: written.id, line, account, amountCents }));
  await tx.insert('ledgerEntries', rows).execute();
  return true;
};
