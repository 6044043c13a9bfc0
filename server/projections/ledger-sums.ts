import { addToSums } from '#server/domain/partners/ledger/sums.ts';
import type { Executor } from '#server/storage/executor.ts';
import { compareWithRebuild, rowsOf } from './maintain.ts';
import type { Projection } from './projection.ts';

const TABLES = ['ledger_days', 'ledger_licenses', 'ledger_totals'] as const;

/** Locks the ledger, so that concurrent postings wait and none is missed or added twice. */
const rebuild = async (tx: Executor, partnerId: string): Promise<void> => {
  await tx.query({ text: 'select p.id from partners p where p.id = $1 for no key update', values: [partnerId] });
  for (const table of TABLES)
    await tx.query({ text: `delete from ${table} s where s.partner_id = $1`, values: [partnerId] });
  await tx.query({ text: addToSums('e.partner_id = $1'), values: [partnerId] });
};

/**
 * The sums of a partner's ledger by day, by license and in total.
 *
 * Sources: `ledger_transactions` and `ledger_entries`. Posting a transaction adds it to the sums in the same transaction
 * (`domain/partners/ledger/sums.ts`), because payouts depend on them. Nothing is enqueued; this projection only rebuilds and checks.
 */
export const ledgerSums: Projection & { name: 'ledger_sums' } = {
  name: 'ledger_sums',
  owner: 'partner',
  tables: TABLES,
  batchSize: 100,
  apply: rebuild,
  rebuild,
  check: (tx, partnerId) =>
    compareWithRebuild(
      tx,
      partnerId,
      [
        rowsOf({ table: 'ledger_days', owner: 'partner_id', key: 'r.day' }),
        rowsOf({ table: 'ledger_licenses', owner: 'partner_id', key: 'r.organization_id' }),
        rowsOf({ table: 'ledger_totals', owner: 'partner_id', key: 'r.account' }),
      ],
      rebuild,
    ),
};
