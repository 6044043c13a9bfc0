import { changePaidLicense } from '../../accounts/licenses/change-license.ts';
import { writeInvoice } from '../../accounts/payments/invoices.ts';
import { recordPayment } from '../../accounts/payments/record-payment.ts';
import { asActive } from '../../accounts/subscriptions/active-subscription.ts';
import { lockOrganization } from '../../organization-lock.ts';
import {
  enterOrganization,
  enterPartner,
  type PartnerScope,
  type PlatformScope,
  type Transaction,
} from '../../scope.ts';
import { post } from '../ledger/post.ts';
import type { SettledCharge } from './card-payments.ts';
import { declineCharge } from './dunning.ts';
import { paidTimeWith } from './paid-time.ts';
import type { ChargeRecord } from './records.ts';

/** Renewals start before the period ends, so that the license does not lapse while the charge is made. */
const RENEW_BEFORE_MS = 3600 * 1000;

/** A subscription that was closed during the charge stays closed: the paid time counts, but it is not renewed. */
const writeSubscription = async (
  partner: PartnerScope,
  { organizationId, purpose, terms }: ChargeRecord,
): Promise<void> => {
  const before = await partner
    .from('subscriptions')
    .where('organizationId', '=', organizationId)
    .selectAll()
    .executeTakeFirst();
  const goesOn = purpose === 'start' || asActive(before) !== undefined;
  const periodEndsAt = new Date(terms.periodEndsAt);
  const { accountId, card, plan, billingCycle, seats, periodCents, periodSavedCents, creditCents } = terms;
  const row = {
    ...{ accountId, card, plan, billingCycle, seats, periodCents, periodSavedCents, creditCents },
    periodStartsAt: new Date(terms.periodStartsAt),
    periodEndsAt,
    failedCharges: 0,
  };
  const next = { status: 'active' as const, nextChargeAt: new Date(periodEndsAt.getTime() - RENEW_BEFORE_MS) };
  await partner
    .insert('subscriptions', { organizationId, ...row, ...next, createdAt: partner.now() })
    .onConflict((conflict) =>
      conflict.columns(['partnerId', 'organizationId']).doUpdateSet(goesOn ? { ...row, ...next } : row),
    )
    .execute();
};

/** Posts the reseller's savings to the ledger. A downgrade reverses a part of them. */
const writeSaving = async (
  partner: Transaction<PartnerScope>,
  { id, organizationId, amountCents, terms: { savedCents } }: ChargeRecord,
): Promise<void> => {
  await post(partner, {
    kind: savedCents < 0 ? 'discount_reversal' : 'discount',
    externalId: `discount ${id}`,
    program: 'solution',
    product: 'mainchat',
    licenseProduct: 'mainchat',
    organizationId,
    // A refund of the payment finds the posting by this id.
    paymentExternalId: amountCents === 0 ? null : id,
    occurredAt: partner.now(),
    entries: { discount: -savedCents, saved: savedCents },
  });
};

const pay = async (tx: Transaction<PlatformScope>, charge: ChargeRecord): Promise<void> => {
  const { id, organizationId, amountCents, terms } = charge;
  const { plan, seats, billingCycle, lines } = terms;
  const inside = enterOrganization(tx, organizationId);
  const paidUntil = await paidTimeWith(tx, charge);
  if (amountCents === 0) return changePaidLicense(inside, { status: 'active', plan, seats, paidUntil });
  await recordPayment(tx, {
    ...{ organizationId, externalId: id, source: 'subscription', product: 'mainchat' },
    ...{ amountCents, currency: 'USD', plan, billingCycle, seats, paidUntil },
  });
  await writeInvoice(inside, {
    ...{ paymentExternalId: id, plan, billingCycle, seats, lines, amountCents },
  });
};

/** Applies the result of a charge exactly once. */
export const settleCharge = async (
  tx: Transaction<PlatformScope>,
  charge: ChargeRecord,
  outcome: SettledCharge,
): Promise<void> => {
  await lockOrganization(enterOrganization(tx, charge.organizationId));
  const partner = enterPartner(tx, charge.partnerId);
  const { numUpdatedRows } = await partner
    .update('charges')
    .where('id', '=', charge.id)
    .where('status', '=', 'open')
    .set({
      status: outcome.status,
      reason: outcome.status === 'declined' ? outcome.reason : null,
      settledAt: tx.now(),
    })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  if (outcome.status === 'declined') return declineCharge(tx, charge, outcome.reason);
  await pay(tx, charge);
  await writeSaving(partner, charge);
  await writeSubscription(partner, charge);
};
