import * as billing from '#contracts/partner/billing.ts';
import * as coupons from '#contracts/partner/coupons.ts';
import * as earnings from '#contracts/partner/earnings.ts';
import * as stats from '#contracts/partner/stats.ts';
import * as withdrawals from '#contracts/partner/withdrawals.ts';
import { getBilling, updateBilling } from '#server/domain/partners/accounts/billing.ts';
import { readStats } from '#server/domain/partners/accounts/stats.ts';
import { readEarnings } from '#server/domain/partners/commissions/earnings.ts';
import { listCoupons } from '#server/domain/partners/coupons/coupons.ts';
import { readBalances } from '#server/domain/partners/ledger/balances.ts';
import { listWithdrawals, requestWithdrawal } from '#server/domain/partners/withdrawals/withdrawals.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentBilling } from '#server/surfaces/shared/billing-present.ts';
import { readDateRange } from './date-range.ts';
import { presentBalance, presentEarnings, presentStats, presentWithdrawal } from './present-account.ts';

const partnerRoute = route<PartnerScope>();

export const accountRoutes: Route<PartnerScope>[] = [
  partnerRoute(stats.getStats, async ({ scope }) => presentStats(await readStats(scope))),
  partnerRoute(coupons.listCoupons, async ({ scope }) => ({
    result: (await listCoupons(scope)).map(({ id, label }) => ({ id, label })),
  })),
  partnerRoute(earnings.getEarnings, async ({ scope }) => presentEarnings(await readEarnings(scope))),
  partnerRoute(earnings.getBalance, async ({ scope }) => presentBalance(await readBalances(scope))),
  partnerRoute(billing.getBilling, async ({ scope }) => presentBilling(await getBilling(scope))),
  partnerRoute(billing.updateBilling, async ({ body, scope }) => {
    const { zip_code: zipCode, payout_account: payoutAccount, state = '', ...details } = body;
    await updateBilling(scope, { ...details, state, zipCode, payoutAccount });
  }),
  partnerRoute(withdrawals.requestWithdrawal, async ({ scope }) => presentWithdrawal(await requestWithdrawal(scope))),
  partnerRoute(withdrawals.listWithdrawals, async ({ query, scope }) => ({
    result: (await listWithdrawals(scope, readDateRange(query))).map(presentWithdrawal),
  })),
];
