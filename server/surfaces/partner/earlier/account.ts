import * as contract from '#contracts/partner/earlier/account.ts';
import type { Context } from '#server/context.ts';
import { getBilling, updateBilling } from '#server/domain/partners/accounts/billing.ts';
import { changePassword } from '#server/domain/partners/accounts/change-password.ts';
import { readStats } from '#server/domain/partners/accounts/stats.ts';
import { readEarnings } from '#server/domain/partners/commissions/earnings.ts';
import { listWithdrawals, requestWithdrawal } from '#server/domain/partners/withdrawals/withdrawals.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { readDateRange } from '../date-range.ts';
import { limitPasswordTries } from './password-tries.ts';
import {
  presentActiveLicenses,
  presentEarlierBilling,
  presentEarlierEarnings,
  presentEarlierWithdrawal,
} from './present-account.ts';

const partnerRoute = route<PartnerScope>();

export const earlierAccountRoutes = (ctx: Context): Route<PartnerScope>[] => {
  const limitTries = limitPasswordTries(ctx);
  return [
    partnerRoute(contract.changePassword, async ({ body, scope }) => {
      limitTries(scope);
      await changePassword(scope, { currentPassword: body.current_password, newPassword: body.new_password });
      return {};
    }),
    partnerRoute(contract.getActiveLicenses, async ({ scope }) => presentActiveLicenses(await readStats(scope))),
    partnerRoute(contract.getEarlierEarnings, async ({ scope }) => presentEarlierEarnings(await readEarnings(scope))),
    partnerRoute(contract.getEarlierBilling, async ({ scope }) => presentEarlierBilling(await getBilling(scope))),
    partnerRoute(contract.updateEarlierBilling, async ({ body, scope }) => {
      const { type, company, vat, address, city, zip_code: zipCode, country, payout_account: payoutAccount } = body;
      await updateBilling(scope, { type, company, vat, address, city, zipCode, country, payoutAccount });
      return {};
    }),
    partnerRoute(contract.requestEarlierWithdrawal, async ({ scope }) =>
      presentEarlierWithdrawal(await requestWithdrawal(scope)),
    ),
    partnerRoute(contract.listEarlierWithdrawals, async ({ query, scope }) => ({
      result: (await listWithdrawals(scope, readDateRange(query))).map(presentEarlierWithdrawal),
    })),
  ];
};
