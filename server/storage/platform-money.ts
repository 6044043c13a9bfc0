import type { Selectable } from 'kysely';
import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { WithdrawalStatus, WithdrawalsTable } from './tables/ledger.ts';

/** Operator queries over the ledgers and payments of all partners. */

export const findWithdrawalOwner = async (executor: Executor, id: number): Promise<number | undefined> => {
  const { rows } = await executor.query<{ partnerId: number }>({
    name: 'find_withdrawal_owner',
    text: `${PLATFORM_MARK} select w.partner_id as "partnerId" from withdrawals w where w.id = $1`,
    values: [id],
  });
  return rows[0]?.partnerId;
};

export const listWithdrawalsOfAll = async (
  executor: Executor,
  { status, after, limit }: { status?: WithdrawalStatus | undefined; after: number; limit: number },
): Promise<Selectable<WithdrawalsTable>[]> => {
  const { rows } = await executor.query<Selectable<WithdrawalsTable>>({
    name: status === undefined ? 'list_withdrawals' : 'list_withdrawals_by_status',
    text: `${PLATFORM_MARK}
      select w.partner_id as "partnerId", w.id, w.amount_cents as "amountCents", w.status, w.invoice_id as "invoiceId",
        w.payout_account as "payoutAccount", w.billing, w.requested_at as "requestedAt", w.acted_at as "actedAt", w.reason
      from withdrawals w where w.id > $1 ${status === undefined ? '' : 'and w.status = $3'} order by w.id limit $2`,
    values: status === undefined ? [after, limit] : [after, limit, status],
  });
  return rows;
};

/** Payment ids are assigned by the payment provider, across all organizations. */
export const findPaymentOwner = async (executor: Executor, externalId: string): Promise<string | undefined> => {
  const { rows } = await executor.query<{ organizationId: string }>({
    name: 'find_payment_owner',
    text: `${PLATFORM_MARK} select p.organization_id as "organizationId" from payments p where p.external_id = $1`,
    values: [externalId],
  });
  return rows[0]?.organizationId;
};

export interface LicenseReferrers {
  partnerId: number;
  /** The partner who referred that partner. */
  referrerId: number | null;
}

/** The partners who referred a license. */
export const findLicenseReferrers = async (
  executor: Executor,
  organizationId: string,
): Promise<LicenseReferrers | undefined> => {
  const { rows } = await executor.query<LicenseReferrers>({
    name: 'find_license_bringers',
    text: `${PLATFORM_MARK}
      select l.partner_id as "partnerId", r.partner_id as "referrerId"
      from referred_licenses l left join referred_partners r on r.referred_id = l.partner_id
      where l.organization_id = $1`,
    values: [organizationId],
  });
  return rows[0];
};

/** Partners with ledger transactions before `end` but without a statement for `month`; in batches by id. */
export const findLedgersToClose = async (
  executor: Executor,
  { month, end, after }: { month: string; end: Date; after: number },
): Promise<number[]> => {
  const { rows } = await executor.query<{ id: number }>({
    name: 'find_books_to_close',
    text: `${PLATFORM_MARK}
      select p.id from partners p
      where p.id > $3
        and exists (select from ledger_transactions t where t.partner_id = p.id and t.recorded_at < $2)
        and not exists (select from statements s where s.partner_id = p.id and s.month = $1)
      order by p.id limit 100`,
    values: [month, end, after],
  });
  return rows.map(({ id }) => id);
};
