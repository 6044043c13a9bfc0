import { sql } from 'kysely';
import type { Account } from '#server/storage/tables/ledger.ts';
import type { Product, Program } from '#server/storage/tables/programme.ts';
import { requirePartner } from '../access.ts';
import { type Balances, readBalances } from '../ledger/balances.ts';
import type { PartnerScope } from '../scope.ts';

/** Cents, net of what was reversed. */
export interface Earned {
  total: number;
  last30Days: number;
}

export interface Earnings {
  balances: Balances;
  /** `affiliate` has what referred partners bring, whichever programme they are in. */
  programs: Record<Program, Earned & { products: Record<Product | 'partner_program', Earned & { saved: number }> }>;
}

const RECENT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

const nothing = () => ({ total: 0, last30Days: 0, saved: 0 });
const program = () => ({
  total: 0,
  last30Days: 0,
  products: { mainchat: nothing(), chatbot: nothing(), helpdesk: nothing(), partner_program: nothing() },
});

interface Row {
  account: Account;
  program: Program;
  product: Product | 'partner_program';
  cents: number;
  recent: number;
}

const readSums = (scope: PartnerScope): Promise<Row[]> => {
  const today = Date.parse(scope.now().toISOString().slice(0, 10));
  const first = new Date(today - (RECENT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return scope
    .from('ledgerDays')
    .where('account', 'in', ['commission', 'saved'])
    .groupBy(['account', 'program', 'product'])
    .select([
      'account',
      sql<Program>`program`.as('program'),
      sql<Product>`product`.as('product'),
      sql<number>`sum(amount_cents)::bigint`.as('cents'),
      sql<number>`coalesce(sum(amount_cents) filter (where day >= ${first}::date), 0)::bigint`.as('recent'),
    ])
    .execute();
};

export const readEarnings = async (scope: PartnerScope): Promise<Earnings> => {
  requirePartner(scope.actor);
  const [balances, rows] = await Promise.all([readBalances(scope), readSums(scope)]);
  const programs: Earnings['programs'] = { affiliate: program(), solution: program() };
  for (const row of rows) {
    const into = programs[row.product === 'partner_program' ? 'affiliate' : row.program];
    const product = into.products[row.product];
    if (row.account === 'saved') product.saved += row.cents;
    else
      for (const sums of [into, product]) {
        // The programme's side falls by what a partner earns.
        sums.total -= row.cents;
        sums.last30Days -= row.recent;
      }
  }
  return { balances, programs };
};
