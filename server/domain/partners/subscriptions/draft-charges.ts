import type { ChargeTerms, InvoiceLine } from '#server/storage/tables/resellers.ts';
import { addCycle } from '../../accounts/payments/billing-period.ts';
import type { Subscription } from '../../accounts/subscriptions/active-subscription.ts';
import type { PricedTerms } from './price-terms.ts';
import { type Period, prorate, settleWithCredit } from './pricing.ts';

/** A charge to make, and the terms that apply once it succeeded. */
export interface DraftCharge {
  purpose: 'start' | 'change' | 'renewal';
  amountCents: number;
  terms: ChargeTerms;
}

interface Account {
  accountId: string;
  card: string;
}

/** What a subscription has already paid for. */
export interface Paid extends Account {
  period: Period;
  billingCycle: 'monthly' | 'annual';
  periodCents: number;
  periodSavedCents: number;
  creditCents: number;
}

export const toPaid = (subscription: Subscription): Paid => ({
  ...subscription,
  period: { startsAt: subscription.periodStartsAt, endsAt: subscription.periodEndsAt },
});

const titleCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The lines of the invoice, without zero amounts. */
const linesOf = (lines: [string, number][], payCents: number, dueCents: number): InvoiceLine[] =>
  [...lines, ['Credit', payCents - dueCents] as [string, number]]
    .filter(([, cents]) => cents !== 0)
    .map(([text, cents]) => ({ text, cents }));

const seatsText = ({ plan, seats, billingCycle, seatCents }: PricedTerms): string =>
  `${titleCase(plan)}, ${billingCycle}, ${seats} × $${(seatCents / 100).toFixed(2)}`;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const draftPeriod = (
  purpose: DraftCharge['purpose'],
  priced: PricedTerms,
  startsAt: Date,
  paid: Account & { creditCents: number; unusedCents?: number; unusedSavedCents?: number },
): DraftCharge => {
  const { plan, billingCycle, seats, price, discountPercent } = priced;
  const { accountId, card, unusedCents = 0, unusedSavedCents = 0 } = paid;
  const endsAt = addCycle(startsAt, billingCycle);
  const due = price.netCents - unusedCents;
  const { payCents, creditCents } = settleWithCredit(due, paid.creditCents);
  const lines: [string, number][] = [
    [`${seatsText(priced)}, ${dayOf(startsAt)} to ${dayOf(endsAt)}`, price.grossCents],
    [`Reseller discount ${discountPercent} %`, -price.discountCents],
    ['Coupon', -price.couponCents],
    ['Unused time of the earlier subscription', -unusedCents],
  ];
  return {
    purpose,
    amountCents: payCents,
    terms: {
      ...{ accountId, card, plan, billingCycle, seats, creditCents },
      periodStartsAt: startsAt.toISOString(),
      periodEndsAt: endsAt.toISOString(),
      periodCents: price.netCents,
      periodSavedCents: price.discountCents,
      savedCents: price.discountCents - unusedSavedCents,
      lines: linesOf(lines, payCents, due),
    },
  };
};

/** The first period, starting now. An earlier subscription may have left a credit. */
export const draftStart = (priced: PricedTerms, now: Date, account: Account & { creditCents: number }): DraftCharge =>
  draftPeriod('start', priced, now, account);

/** The period after the paid one. */
export const draftRenewal = (priced: PricedTerms, { period, creditCents, accountId, card }: Paid): DraftCharge =>
  draftPeriod('renewal', priced, period.endsAt, { accountId, card, creditCents });

/** New terms from now on. The rest of the current period is prorated; a different billing cycle starts a new period. */
export const draftChange = (priced: PricedTerms, paid: Paid, now: Date): DraftCharge => {
  const { period, accountId, card } = paid;
  const rest = (cents: number): number => prorate(cents, period, now);
  const unusedCents = rest(paid.periodCents);
  const unusedSavedCents = rest(paid.periodSavedCents);
  if (priced.billingCycle !== paid.billingCycle)
    return draftPeriod('change', priced, now, { ...paid, unusedCents, unusedSavedCents });
  const { plan, billingCycle, seats, price } = priced;
  const due = rest(price.netCents) - unusedCents;
  const { payCents, creditCents } = settleWithCredit(due, paid.creditCents);
  const lines: [string, number][] = [
    [`${seatsText(priced)}, rest of the period until ${dayOf(period.endsAt)}, after discounts`, rest(price.netCents)],
    ['Unused time of the earlier terms', -unusedCents],
  ];
  return {
    purpose: 'change',
    amountCents: payCents,
    terms: {
      ...{ accountId, card, plan, billingCycle, seats, creditCents },
      periodStartsAt: period.startsAt.toISOString(),
      periodEndsAt: period.endsAt.toISOString(),
      periodCents: price.netCents,
      periodSavedCents: price.discountCents,
      savedCents: rest(price.discountCents) - unusedSavedCents,
      lines: linesOf(lines, payCents, due),
    },
  };
};
