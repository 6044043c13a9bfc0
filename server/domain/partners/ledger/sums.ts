import type { PartnerScope } from '../../scope.ts';

/**
 * Adds entries to the sums of their ledger: by day (`ledger_days`), by license (`ledger_licenses`) and in total
 * (`ledger_totals`). The condition chooses the entries `e`.
 */
export const addToSums = (condition: string): string => `
with lines as materialized (
  select e.partner_id, (t.occurred_at at time zone 'UTC')::date as day, e.account, t.program, t.product, t.license_product,
    coalesce(t.campaign_id, 0) as campaign_id, t.organization_id, e.amount_cents
  from ledger_entries e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  where ${condition}
), days as (
  insert into ledger_days as s (partner_id, day, account, program, product, license_product, campaign_id, amount_cents)
  select partner_id, day, account, program, product, license_product, campaign_id, sum(amount_cents)
  from lines group by 1, 2, 3, 4, 5, 6, 7
  on conflict (partner_id, account, day, program, product, license_product, campaign_id)
  do update set amount_cents = s.amount_cents + excluded.amount_cents
), licenses as (
  insert into ledger_licenses as s (partner_id, organization_id, account, amount_cents)
  select partner_id, organization_id, account, sum(amount_cents)
  from lines where organization_id is not null group by 1, 2, 3
  on conflict (partner_id, organization_id, account) do update set amount_cents = s.amount_cents + excluded.amount_cents
)
insert into ledger_totals as s (partner_id, account, program, product, amount_cents)
select partner_id, account, program, product, sum(amount_cents) from lines group by 1, 2, 3, 4
on conflict (partner_id, account, program, product) do update set amount_cents = s.amount_cents + excluded.amount_cents`;

const ADD_TRANSACTION = addToSums('e.partner_id = $1 and e.transaction_id = $2');

/**
 * Adds a transaction to the sums, in the transaction that posts it. Withdrawals and holds are decided by these sums, so they
 * must never be stale and are not left to the projection queue. The caller holds the lock of the ledger.
 */
export const sumTransaction = async ({ executor, partnerId }: PartnerScope, transactionId: number): Promise<void> => {
  await executor.query({ name: 'sum_ledger_transaction', text: ADD_TRANSACTION, values: [partnerId, transactionId] });
};
