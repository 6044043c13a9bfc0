import type {
  ActiveLicenses,
  EarlierBilling,
  EarlierEarnings,
  EarlierWithdrawal,
} from '#contracts/partner/earlier/account.ts';
import type { BillingDetails } from '#server/domain/partners/accounts/billing.ts';
import type { LicenseCounts, PartnerStats } from '#server/domain/partners/accounts/stats.ts';
import type { Earnings } from '#server/domain/partners/commissions/earnings.ts';
import type { WithdrawalRecord } from '#server/domain/partners/withdrawals/records.ts';
import { presentBilling } from '#server/surfaces/shared/billing-present.ts';
import { presentWithdrawal, toAmount } from '../present-account.ts';

const sum = (products: Record<string, LicenseCounts>, count: keyof LicenseCounts): number =>
  Object.values(products).reduce((total, product) => total + product[count], 0);

export const presentActiveLicenses = ({ own: { affiliate, solution } }: PartnerStats): ActiveLicenses => ({
  affiliate_trials: sum(affiliate, 'trials'),
  affiliate_trials_cc: sum(affiliate, 'trialsWithCard'),
  affiliate_paid: sum(affiliate, 'paid'),
  reseller_trials: sum(solution, 'trials'),
  reseller_trials_cc: sum(solution, 'trialsWithCard'),
  reseller_paid: sum(solution, 'paid'),
});

export const presentEarlierEarnings = ({ balances, programs }: Earnings): EarlierEarnings => ({
  balance: toAmount(balances.available),
  commission: toAmount(programs.affiliate.total + programs.solution.total),
  blocked: toAmount(balances.held),
  withdrawals: toAmount(balances.withdrawn),
  pending: toAmount(balances.pending),
  discount: toAmount(balances.saved),
});

export const presentEarlierBilling = (details: BillingDetails | undefined): EarlierBilling => {
  const { state: _, ...billing } = presentBilling(details);
  return billing;
};

export const presentEarlierWithdrawal = (record: WithdrawalRecord): EarlierWithdrawal => {
  const { withdrawal_id: _, payout_account: __, ...withdrawal } = presentWithdrawal(record);
  return withdrawal;
};
