import { sql } from 'kysely';
import type { LedgerRows } from './read-lines.ts';

const joined = (ledger: LedgerRows) =>
  ledger
    .from('ledgerEntries')
    .innerJoin('ledgerTransactions', (join) =>
      join
        .onRef('ledgerTransactions.partnerId', '=', 'ledgerEntries.partnerId')
        .onRef('ledgerTransactions.id', '=', 'ledgerEntries.transactionId'),
    );

/** The database rejects such transactions, unless its triggers were bypassed. */
export const findUnbalanced = async (ledger: LedgerRows): Promise<string[]> => {
  const rows = await ledger
    .from('ledgerTransactions')
    .leftJoin('ledgerEntries', (join) =>
      join
        .onRef('ledgerEntries.partnerId', '=', 'ledgerTransactions.partnerId')
        .onRef('ledgerEntries.transactionId', '=', 'ledgerTransactions.id'),
    )
    .groupBy('ledgerTransactions.id')
    .having(({ or, eb, fn }) =>
      or([
        eb(fn.count<number>('ledgerEntries.line'), '<', 2),
        eb(fn.coalesce(fn.sum<number>('ledgerEntries.amountCents'), sql<number>`0`), '<>', 0),
      ]),
    )
    .orderBy('ledgerTransactions.id')
    .select('ledgerTransactions.id')
    .execute();
  return rows.map(({ id }) => `transaction ${id} does not sum to zero`);
};

interface Sum {
  name: string;
  cents: number;
}

/** Compares stored sums with recomputed ones. A stored zero equals a missing row. */
const compareSums = (what: string, stored: Sum[], counted: Sum[]): string[] => {
  const recomputed = new Map(counted.map(({ name, cents }) => [name, cents]));
  for (const { name } of stored) if (!recomputed.has(name)) recomputed.set(name, 0);
  const found = new Map(stored.map(({ name, cents }) => [name, cents]));
  return [...recomputed]
    .filter(([name, cents]) => (found.get(name) ?? 0) !== cents)
    .map(([name, cents]) => `the sum of the ${what} ${name} is ${found.get(name) ?? 0}, but entries sum to ${cents}`);
};

/** Compares the sums by day, which reports read. */
export const compareDays = async (ledger: LedgerRows): Promise<string[]> => {
  const name = sql<string>`concat_ws(' ', account, day, program, product, license_product, campaign_id)`;
  const stored = await ledger
    .from('ledgerDays')
    .select([name.as('name'), 'amountCents as cents'])
    .execute();
  const day = sql`(occurred_at at time zone 'UTC')::date`;
  const counted = await joined(ledger)
    .groupBy(sql`name`)
    .select(
      sql<string>`concat_ws(' ', account, ${day}, program, product, license_product, coalesce(campaign_id, 0))`.as(
        'name',
      ),
    )
    .select(sql<number>`sum(amount_cents)::bigint`.as('cents'))
    .execute();
  return compareSums('day', stored, counted);
};

/** Compares the totals. */
export const compareTotals = async (ledger: LedgerRows): Promise<string[]> => {
  const name = sql<string>`concat_ws(' ', account, program, product)`.as('name');
  const stored = await ledger.from('ledgerTotals').select([name, 'amountCents as cents']).execute();
  const counted = await joined(ledger)
    .groupBy(sql`name`)
    .select([name, sql<number>`sum(amount_cents)::bigint`.as('cents')])
    .execute();
  return compareSums('account', stored, counted);
};

/** Compares the sums by license, which holds are based on. */
export const compareLicenses = async (ledger: LedgerRows): Promise<string[]> => {
  const name = sql<string>`concat_ws(' ', account, organization_id)`.as('name');
  const stored = await ledger.from('ledgerLicenses').select([name, 'amountCents as cents']).execute();
  const counted = await joined(ledger)
    .where('organizationId', 'is not', null)
    .groupBy(sql`name`)
    .select([name, sql<number>`sum(amount_cents)::bigint`.as('cents')])
    .execute();
  return compareSums('license', stored, counted);
};

/** Compares the earnings in the performance totals. */
export const comparePerformance = async (ledger: LedgerRows): Promise<string[]> => {
  const utmColumns = sql`utm_campaign, utm_medium, utm_content, utm_term`;
  const stored = await ledger
    .from('performanceTotals')
    .select([sql<string>`concat_ws(' ', product, campaign_id, ${utmColumns})`.as('name'), 'earnedCents as cents'])
    .execute();
  const counted = await joined(ledger)
    .innerJoin('referredLicenses', (join) =>
      join
        .onRef('referredLicenses.partnerId', '=', 'ledgerEntries.partnerId')
        .onRef('referredLicenses.organizationId', '=', 'ledgerTransactions.organizationId'),
    )
    .where('account', '=', 'commission')
    .where('referredLicenses.program', '=', 'affiliate')
    .groupBy(sql`name`)
    .select(
      sql<string>`concat_ws(' ', referred_licenses.product, coalesce(referred_licenses.campaign_id, 0), ${utmColumns})`.as(
        'name',
      ),
    )
    .select(sql<number>`-sum(amount_cents)::bigint`.as('cents'))
    .execute();
  return compareSums('campaign', stored, counted);
};
