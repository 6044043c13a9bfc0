import { percentOf, portion } from '../ledger/portion.ts';

export interface Reduction {
  percentOff?: number;
  amountOffCents?: number;
}

export interface Price {
  /** By the price list. */
  grossCents: number;
  discountCents: number;
  couponCents: number;
  netCents: number;
}

/** What a whole period costs: first the reseller's discount, then the coupon of what is left, and never below nothing. */
export const priceOf = (
  { seatCents, seats }: { seatCents: number; seats: number },
  { discountPercent, coupon = {} }: { discountPercent: number; coupon?: Reduction },
): Price => {
  const grossCents = seatCents * seats;
  const discountCents = percentOf(grossCents, discountPercent);
  const left = grossCents - discountCents;
  const off = coupon.percentOff === undefined ? (coupon.amountOffCents ?? 0) : percentOf(left, coupon.percentOff);
  const couponCents = Math.min(left, off);
  return { grossCents, discountCents, couponCents, netCents: left - couponCents };
};

export interface Period {
  startsAt: Date;
  endsAt: Date;
}

/** The part of an amount that the rest of a period is worth, in whole cents. */
export const restOf = (cents: number, { startsAt, endsAt }: Period, now: Date): number => {
  const whole = endsAt.getTime() - startsAt.getTime();
  const rest = Math.min(Math.max(endsAt.getTime() - now.getTime(), 0), whole);
  return whole > 0 ? portion(cents, rest, whole) : 0;
};

/** What has to be paid now, when a credit helps as far as it goes. What is due may be below zero: then the credit grows. */
export const settleWithCredit = (dueCents: number, creditCents: number): { payCents: number; creditCents: number } => {
  const payCents = Math.max(0, dueCents - creditCents);
  return { payCents, creditCents: creditCents - dueCents + payCents };
};
