import { sql } from 'kysely';
import type { Account } from '#server/storage/tables/ledger.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';
import { type Balances, readBalances } from '../ledger/balances.ts';

/** Cents, minus reversals. */
export interface Earned {
  total: number;
  last30Days: number;
}

export interface Earnings {
  balances: Balances;
  /** `affiliate` includes second-tier commission, whichever program the referred partners are in. */
  programs: Record<Program, Earned & { products: Record<Product | 'partner_program', Earned & { saved: number }> }>;
}

const RECENT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

const zeroEarnings = () => ({ total: 0, last30Days: 0, saved: 0 });
const program = () => ({
  total: 0,
  last30Days: 0,
  products: {
    mainchat: zeroEarnings(),
    chatbot: zeroEarnings(),
    helpdesk: zeroEarnings(),
    partner_program: zeroEarnings(),
  },
});

interface Row {
  account: Account;
  program: Program;
  product: Product | 'partner_program';
  cents: number;
}

const ABOUT = ['account', sql<Program>`program`.as('program'), sql<Row['product']>`product`.as('product')] as const;

const readTotals = (scope: PartnerScope): Promise<Row[]> =>
  scope
    .from('ledgerTotals')
    .where('account', 'in', ['commission', 'saved'])
    .select([...ABOUT, 'amountCents as cents'])
    .execute();

const readRecent = (scope: PartnerScope): Promise<Row[]> => {
  const today = Date.parse(scope.now().toISOString().slice(0, 10));
  const first = new Date(today - (RECENT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return scope
    .from('ledgerDays')
    .where('account', '=', 'commission')
    .where('day', '>=', first)
    .groupBy(['account', 'program', 'product'])
    .select([...ABOUT, sql<number>`sum(amount_cents)::bigint`.as('cents')])
    .execute();
};

export const readEarnings = async (scope: PartnerScope): Promise<Earnings> => {
  requirePartner(scope.actor);
  const [balances, totals, recent] = await Promise.all([readBalances(scope), readTotals(scope), readRecent(scope)]);
  const programs: Earnings['programs'] = { affiliate: program(), solution: program() };
  // What a partner earns is negative on the `commission` account.
  const earn = (row: Row, when: keyof Earned): void => {
    const into = programs[row.product === 'partner_program' ? 'affiliate' : row.program];
    for (const sums of [into, into.products[row.product]]) sums[when] -= row.cents;
  };
  for (const row of totals) {
    if (row.account === 'commission') earn(row, 'total');
    else programs[row.program].products[row.product].saved += row.cents;
  }
  for (const row of recent) earn(row, 'last30Days');
  return { balances, programs };
};
