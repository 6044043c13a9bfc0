import { readBalances } from '../ledger/balances.ts';
import { endOfMonth, type Month, startOfMonth } from '../ledger/months.ts';
import { type LedgerRows, readLines } from './read-lines.ts';
import { ACCOUNTS, addUp, type Cents, writeStatement, ZERO_BALANCES } from './statement-text.ts';
import { verifyChain } from './verify-chain.ts';
import { compareDays, compareLicenses, comparePerformance, compareTotals, findUnbalanced } from './verify-sums.ts';

export interface VerifiedLedger {
  /** Descriptions of all differences; empty if everything agrees. */
  problems: string[];
  statements: number;
  transactions: number;
  balances: Cents;
}

/** Recomputes every statement from the ledger and the previous balances. */
const compareStatements = async (
  ledger: LedgerRows,
  partnerId: number,
  stored: { month: Month; content: string }[],
): Promise<string[]> => {
  const problems: string[] = [];
  let opening = ZERO_BALANCES;
  for (const { month, content } of stored) {
    const lines = await readLines(ledger, { from: startOfMonth(month), until: endOfMonth(month) });
    const closing = addUp(opening, lines);
    if (writeStatement({ partnerId, month, opening, lines, closing }) !== content)
      problems.push(`the statement of ${month.slice(0, 7)} differs from the ledger`);
    opening = closing;
  }
  return problems;
};

const START_OF_TIME = new Date(0);
const END_OF_TIME = new Date('9999-01-01T00:00:00Z');

const countTransactions = async (ledger: LedgerRows): Promise<number> => {
  const { count } = await ledger
    .from('ledgerTransactions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Recomputes a partner's ledger, sums and statements and returns all differences. Needs one snapshot. */
export const verifyLedger = async (ledger: LedgerRows, partnerId: number): Promise<VerifiedLedger> => {
  const stored = await ledger.from('statements').orderBy('month').selectAll().execute();
  const chain = verifyChain(stored.map((row) => ({ ...row, name: row.month.slice(0, 7) })));
  const last = stored.at(-1);
  const open = await readLines(ledger, { from: last ? endOfMonth(last.month) : START_OF_TIME, until: END_OF_TIME });
  const closing = addUp(chain.closing, open);
  const balances = await readBalances(ledger);
  const different = ACCOUNTS.filter((account) => closing[account] !== balances[account]);
  return {
    problems: [
      ...(await findUnbalanced(ledger)),
      ...(await compareDays(ledger)),
      ...(await compareTotals(ledger)),
      ...(await compareLicenses(ledger)),
      ...(await comparePerformance(ledger)),
      ...chain.problems,
      ...(await compareStatements(ledger, partnerId, stored)),
      ...different.map(
        (account) => `${account} is ${balances[account]}, but statements and open month sum to ${closing[account]}`,
      ),
    ],
    statements: stored.length,
    transactions: await countTransactions(ledger),
    balances,
  };
};
