import type { PartnerScope, Transaction } from '../../scope.ts';
import { lockLedger } from '../ledger/balances.ts';
import { endOfMonth, type Month, monthOf, nextMonth, startOfMonth } from '../ledger/months.ts';
import { readLines } from './read-lines.ts';
import {
  addUp,
  type Cents,
  hashStatement,
  NO_HASH,
  readStatement,
  writeStatement,
  ZERO_BALANCES,
} from './statement-text.ts';

interface Last {
  month: Month;
  closing: Cents;
  hash: Buffer;
}

const readLast = async (tx: PartnerScope): Promise<Last | undefined> => {
  const last = await tx.from('statements').orderBy('month', 'desc').limit(1).selectAll().executeTakeFirst();
  return last && { month: last.month, hash: last.hash, closing: readStatement(last.content).closing };
};

const findFirstMonth = async (tx: PartnerScope): Promise<Month | undefined> => {
  const first = await tx
    .from('ledgerTransactions')
    .orderBy('recordedAt')
    .select('recordedAt')
    .limit(1)
    .executeTakeFirst();
  return first && monthOf(first.recordedAt);
};

const close = async (tx: Transaction<PartnerScope>, month: Month, before: Last | undefined): Promise<Last> => {
  const opening = before?.closing ?? ZERO_BALANCES;
  const previousHash = before?.hash ?? NO_HASH;
  const lines = await readLines(tx, { from: startOfMonth(month), until: endOfMonth(month) });
  const closing = addUp(opening, lines);
  const content = writeStatement({ partnerId: tx.partnerId, month, opening, lines, closing });
  const hash = hashStatement(previousHash, content);
  await tx.insert('statements', { month, content, previousHash, hash, createdAt: tx.now() }).execute();
  return { month, closing, hash };
};

/**
 * Writes the statement of each past month since the first posting, also for months without postings, so that a missing month is
 * noticed. The ledger is locked; later postings belong to a later month.
 */
export const closeMonths = (scope: PartnerScope): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockLedger(tx);
    const last = await readLast(tx);
    let month = last ? nextMonth(last.month) : await findFirstMonth(tx);
    for (let before = last; month !== undefined && endOfMonth(month) <= tx.now(); month = nextMonth(month))
      before = await close(tx, month, before);
  });
