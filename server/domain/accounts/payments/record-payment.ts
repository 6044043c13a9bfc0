import type { BillingCycle, PaymentsTable } from '#server/storage/tables/ledger.ts';
import type { Plan } from '#server/storage/tables/organizations.ts';
import type { Product } from '#server/storage/tables/products.ts';
import { requireOperator } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import { lockOrganization } from '../../organization-lock.ts';
import { enterOrganization, type PlatformScope, type Transaction } from '../../scope.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { type LockedLicense, lockLicense } from '../licenses/lock-license.ts';
import { getOrganization } from '../licenses/organizations.ts';
import { findActiveSubscription } from '../subscriptions/active-subscription.ts';
import { addCycle } from './billing-period.ts';
import { findPayment, type PaymentRecord } from './find-payment.ts';
import { invoicePayment } from './invoices.ts';
import { lockPayment } from './locks.ts';
import { applyWaitingRefunds } from './refunds.ts';

export interface NewPayment {
  organizationId: string;
  /** The idempotency key, given by the payment provider or the operator. */
  externalId: string;
  source: PaymentsTable['source'];
  product: Product;
  amountCents: number;
  currency: string;
  plan?: Plan | undefined;
  billingCycle?: BillingCycle | undefined;
  seats?: number | undefined;
  /** Defaults to now. */
  paidAt?: Date | undefined;
  /** The end of the paid time; defaults to one more cycle. */
  paidUntil?: Date | undefined;
}

const CURRENCY = 'USD';
/** Tolerance for clocks that are ahead of ours. */
const AHEAD_MS = 3600 * 1000;

const assertPossible = ({ currency, paidAt }: NewPayment, now: Date): void => {
  if (currency.toUpperCase() !== CURRENCY) throw invalid('currency', `must be ${CURRENCY}`);
  if (paidAt && paidAt.getTime() > now.getTime() + AHEAD_MS) throw invalid('paidAt', 'must not be in the future');
};

const assertSame = (existing: PaymentRecord, input: NewPayment): void => {
  const isSame =
    existing.organizationId === input.organizationId &&
    existing.amountCents === input.amountCents &&
    existing.product === input.product;
  if (!isSame) throw new DomainError('conflict', 'Another payment already has this `external_id`');
};

/** Extends the paid time by a cycle, without a gap and without losing time that was paid before. */
const endOfCycle = ({ paidUntil }: LockedLicense, from: Date, cycle: BillingCycle = 'monthly'): Date =>
  addCycle(paidUntil && paidUntil > from ? paidUntil : from, cycle);

/**
 * A payment for a time in the past does not change the license, unless an active subscription pays for it: then the paid time
 * comes after the period of the subscription. A blocked license stays blocked.
 */
const continueLicense = async (
  tx: Transaction<PlatformScope>,
  license: LockedLicense,
  { organizationId, plan, seats, billingCycle, ...input }: NewPayment & { paidAt: Date },
): Promise<void> => {
  const subscription = await findActiveSubscription(tx, organizationId);
  const paidUntil = input.paidUntil ?? endOfCycle(license, subscription?.periodEndsAt ?? input.paidAt, billingCycle);
  const isOver = paidUntil <= tx.now();
  const begins = !isOver && license.status !== 'active' && license.status !== 'blocked';
  const time = {
    paidUntil: isOver && !subscription ? undefined : paidUntil,
    status: begins ? ('active' as const) : undefined,
  };
  await changeLicense(enterOrganization(tx, organizationId), { ...time, plan, seats });
};

/**
 * Records a payment: extends the license, pays commissions (a reaction to the event) and applies refunds that were reported
 * earlier. Idempotent by `externalId`: a repeated request returns the first payment.
 */
export const recordPayment = async (
  tx: Transaction<PlatformScope>,
  input: NewPayment,
): Promise<{ payment: PaymentRecord; isNew: boolean }> => {
  requireOperator(tx.actor);
  assertPossible(input, tx.now());
  const { id: organizationId } = await getOrganization(tx, input.organizationId);
  const inside = enterOrganization(tx, organizationId);
  await lockOrganization(inside);
  await lockPayment(tx, input.externalId);
  const license = await lockLicense(tx, organizationId);
  const existing = await findPayment(tx, input.externalId);
  if (existing) {
    assertSame(existing, { ...input, organizationId });
    return { payment: existing, isNew: false };
  }
  const recordedAt = tx.now();
  const paid = { ...input, organizationId, paidAt: input.paidAt ?? recordedAt };
  const { externalId, source, product, amountCents, plan, billingCycle, seats, paidAt } = paid;
  const recorded = await inside
    .insert('payments', {
      ...{ externalId, source, product, amountCents, plan, billingCycle, seats, paidAt, recordedAt },
      currency: CURRENCY,
      outcome: '[]',
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.emitAccountEvent({ type: 'payment_recorded', payment: recorded, licenseStatus: license.status });
  const payment = (await findPayment(tx, externalId))!;
  await continueLicense(tx, license, paid);
  if (source === 'operator') await invoicePayment(inside, payment);
  await applyWaitingRefunds(tx, payment);
  return { payment, isNew: true };
};
