import type * as contract from '#contracts/partner/earlier/resellers.ts';
import type { InvoiceRecord } from '#server/domain/accounts/payments/invoices.ts';
import { asActive } from '#server/domain/accounts/subscriptions/active-subscription.ts';
import type { ResellerLicense } from '#server/domain/partners/resellers/licenses.ts';
import { toPartnerTimestamp } from '../present.ts';
import { toAmount } from '../present-account.ts';

/** Without a subscription, the limit of the trial applies. */
const SEATS_OF_TRIAL = 1;

export const presentListedLicense = (
  license: ResellerLicense,
  discountPercent: number,
): contract.ListedResellerLicense => {
  const { status, subscription, endsAt } = license;
  return {
    license: String(license.licenseNumber),
    client_name: license.clientName,
    client_email: license.clientEmail,
    purchase_order: license.purchaseOrder,
    creation_timestamp: toPartnerTimestamp(license.createdAt),
    end_timestamp: endsAt ? toPartnerTimestamp(endsAt) : '',
    cc_added: license.cardAddedAt !== null || subscription !== undefined,
    paid: status === 'active',
    expired: status === 'expired',
    blocked: status === 'blocked',
    seats: subscription?.seats ?? license.seats ?? SEATS_OF_TRIAL,
    plan: license.plan,
    billing_cycle: subscription?.billingCycle ?? '',
    total_discount: toAmount(license.savedCents),
    discount_percent: discountPercent,
  };
};

export const presentLicense = (license: ResellerLicense, discountPercent: number): contract.ResellerLicense => ({
  ...presentListedLicense(license, discountPercent),
  recurly: {
    subscriber: license.subscription !== undefined && license.subscription.status !== 'closed',
    in_trial: license.status === 'trial',
    recurrent: asActive(license.subscription) !== undefined,
  },
});

export const presentInvoice = (invoice: InvoiceRecord): contract.Invoice => ({
  invoice_no: invoice.invoiceNo,
  date: toPartnerTimestamp(invoice.issuedAt),
  plan: invoice.plan,
  billing_cycle: invoice.billingCycle,
  status: 'paid',
  seats: invoice.seats,
  amount: toAmount(invoice.amountCents),
});
