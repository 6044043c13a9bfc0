import type { Billing } from '#contracts/partner/billing.ts';
import type { BillingDetails } from '#server/domain/partners/accounts/billing.ts';

const NO_BILLING: BillingDetails = {
  ...{ type: 'business', company: '', vat: '', address: '', city: '', state: '', zipCode: '', country: '' },
  payoutAccount: '',
};

export const presentBilling = (details: BillingDetails | undefined): Billing => {
  const { zipCode, payoutAccount, type, ...billing } = details ?? NO_BILLING;
  return { type: details ? type : '', ...billing, zip_code: zipCode, payout_account: payoutAccount };
};
