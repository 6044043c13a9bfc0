import type * as contract from '#contracts/partner/earlier/resellers.ts';
import type { ResellerLicence } from '#server/domain/partners/resellers/licences.ts';
import type { InvoiceRecord } from '#server/domain/partners/subscriptions/invoices.ts';
import { livingOf } from '#server/domain/partners/subscriptions/living.ts';
import { toPartnerTimestamp } from '../present.ts';
import { toAmount } from '../present-account.ts';

/** Who has not subscribed may have as many agents as a trial has. */
const SEATS_OF_TRIAL = 1;

export const presentListedLicence = (
  licence: ResellerLicence,
  discountPercent: number,
): contract.ListedResellerLicence => {
  const { status, subscription, endsAt } = licence;
  return {
    license: String(licence.licenceNumber),
    client_name: licence.clientName,
    client_email: licence.clientEmail,
    purchase_order: licence.purchaseOrder,
    creation_timestamp: toPartnerTimestamp(licence.createdAt),
    end_timestamp: endsAt ? toPartnerTimestamp(endsAt) : '',
    cc_added: licence.cardAddedAt !== null || subscription !== undefined,
    paid: status === 'active',
    expired: status === 'expired',
    blocked: status === 'blocked',
    seats: subscription?.seats ?? licence.seats ?? SEATS_OF_TRIAL,
    plan: licence.plan,
    billing_cycle: subscription?.billingCycle ?? '',
    total_discount: toAmount(licence.savedCents),
    discount_percent: discountPercent,
  };
};

export const presentLicence = (licence: ResellerLicence, discountPercent: number): contract.ResellerLicence => ({
  ...presentListedLicence(licence, discountPercent),
  recurly: {
    subscriber: licence.subscription !== undefined && licence.subscription.status !== 'closed',
    in_trial: licence.status === 'trial',
    recurrent: livingOf(licence.subscription) !== undefined,
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
