import type { Balance, Earnings } from '#contracts/partner/earnings.ts';
import type { Stats } from '#contracts/partner/stats.ts';
import type { Withdrawal } from '#contracts/partner/withdrawals.ts';
import type { LicenseCounts, PartnerStats } from '#server/domain/partners/accounts/stats.ts';
import type { Earned, Earnings as EarningsRecord } from '#server/domain/partners/commissions/earnings.ts';
import type { Balances } from '#server/domain/partners/ledger/balances.ts';
import type { WithdrawalRecord } from '#server/domain/partners/withdrawals/records.ts';
import { toPartnerTimestamp } from './present.ts';

/** Cents as a decimal number of dollars. */
export const toAmount = (cents: number): number => cents / 100;

const presentCounts = ({ trials, trialsWithCard, paid }: LicenseCounts) => ({
  trials,
  trials_cc: trialsWithCard,
  paid,
});

const presentProducts = ({ mainchat, chatbot, helpdesk }: PartnerStats['own']['affiliate']) => ({
  mainchat: presentCounts(mainchat),
  chatbot: presentCounts(chatbot),
  helpdesk: presentCounts(helpdesk),
});

export const presentStats = ({ own, referred, partnersReferred }: PartnerStats): Stats => ({
  affiliate: {
    ...presentProducts(own.affiliate),
    partner_program: { ...presentCounts(referred), partners_referred: partnersReferred },
  },
  solution: presentProducts(own.solution),
});

const presentEarned = ({ total, last30Days }: Earned) => ({
  commission_total: toAmount(total),
  commission_last_30_days: toAmount(last30Days),
});

const presentSaved = (product: Earned & { saved: number }) => ({
  discount: toAmount(product.saved),
  ...presentEarned(product),
});

export const presentEarnings = ({ balances, programs }: EarningsRecord): Earnings => {
  const { affiliate, solution } = programs;
  return {
    balance: toAmount(balances.available),
    blocked: toAmount(balances.held),
    ...presentEarned({
      total: affiliate.total + solution.total,
      last30Days: affiliate.last30Days + solution.last30Days,
    }),
    withdrawals: toAmount(balances.withdrawn),
    pending: toAmount(balances.pending),
    affiliate: {
      ...presentEarned(affiliate),
      mainchat: presentEarned(affiliate.products.mainchat),
      chatbot: presentEarned(affiliate.products.chatbot),
      partner_program: presentEarned(affiliate.products.partner_program),
    },
    solution: {
      ...presentEarned(solution),
      mainchat: presentSaved(solution.products.mainchat),
      chatbot: presentSaved(solution.products.chatbot),
    },
  };
};

export const presentBalance = ({ pending, withdrawn, available }: Balances): Balance => ({
  pending: toAmount(pending),
  withdrawn: toAmount(withdrawn),
  available: toAmount(available),
  total: toAmount(pending + withdrawn + available).toFixed(2),
});

export const presentWithdrawal = (withdrawal: WithdrawalRecord): Withdrawal => ({
  withdrawal_id: withdrawal.id,
  request_timestamp: toPartnerTimestamp(withdrawal.requestedAt),
  action_timestamp: withdrawal.actedAt ? toPartnerTimestamp(withdrawal.actedAt) : '',
  status: withdrawal.status,
  amount: toAmount(withdrawal.amountCents),
  invoice_id: withdrawal.invoiceId,
  payout_account: withdrawal.payoutAccount,
});
