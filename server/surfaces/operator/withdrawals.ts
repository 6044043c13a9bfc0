import * as contract from '#contracts/operator/withdrawals.ts';
import type { BillingDetails } from '#server/domain/partners/accounts/billing.ts';
import type { WithdrawalRecord } from '#server/domain/partners/withdrawals/records.ts';
import {
  listAllWithdrawals,
  payWithdrawal,
  rejectWithdrawal,
} from '#server/domain/partners/withdrawals/settle-withdrawals.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { presentBilling } from '#server/surfaces/shared/billing-present.ts';

const DEFAULT_LIMIT = 25;

const present = (withdrawal: WithdrawalRecord): contract.Withdrawal => ({
  id: withdrawal.id,
  partner_id: String(withdrawal.partnerId),
  status: withdrawal.status,
  amount_cents: withdrawal.amountCents,
  invoice_id: withdrawal.invoiceId,
  payout_account: withdrawal.payoutAccount,
  billing: presentBilling(withdrawal.billing as BillingDetails),
  requested_at: toTimestamp(withdrawal.requestedAt),
  ...(withdrawal.actedAt ? { acted_at: toTimestamp(withdrawal.actedAt) } : {}),
  ...(withdrawal.reason === null ? {} : { reason: withdrawal.reason }),
});

const operatorRoute = route<PlatformScope>();

export const withdrawalRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.listWithdrawals, async ({ query, scope }) => {
    const { limit = DEFAULT_LIMIT, ...filters } = query;
    const { withdrawals, next } = await listAllWithdrawals(scope, { ...filters, limit });
    return { withdrawals: withdrawals.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.payWithdrawal, async ({ params, scope }) =>
    present(await payWithdrawal(scope, { id: Number(params.id) })),
  ),
  operatorRoute(contract.rejectWithdrawal, async ({ params, body, scope }) =>
    present(await rejectWithdrawal(scope, { id: Number(params.id), reason: body.reason })),
  ),
];
