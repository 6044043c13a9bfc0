import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf, prorate, settleWithCredit } from './pricing.ts';

describe('a price', () => {
  it.each([
    [
      { seatCents: 4900, seats: 3 },
      { discountPercent: 20 },
      { grossCents: 14_700, discountCents: 2940, couponCents: 0, netCents: 11_760 },
    ],
    [
      { seatCents: 4900, seats: 1 },
      { discountPercent: 20, coupon: { percentOff: 50 } },
      { grossCents: 4900, discountCents: 980, couponCents: 1960, netCents: 1960 },
    ],
    [
      { seatCents: 4900, seats: 1 },
      { discountPercent: 0, coupon: { amountOffCents: 9900 } },
      { grossCents: 4900, discountCents: 0, couponCents: 4900, netCents: 0 },
    ],
  ])('of %j with %j is %j', (seats, terms, price) => expect(priceOf(seats, terms)).toEqual(price));
});

const cents = fc.integer({ min: 0, max: 100_000_000 });

describe('prorating', () => {
  const startsAt = new Date('2026-01-01T00:00:00Z');
  const endsAt = new Date('2026-02-01T00:00:00Z');

  it('the rest of a period falls from everything to nothing', () => {
    expect(prorate(3100, { startsAt, endsAt }, startsAt)).toBe(3100);
    expect(prorate(3100, { startsAt, endsAt }, new Date('2026-01-11T00:00:00Z'))).toBe(2100);
    expect(prorate(3100, { startsAt, endsAt }, endsAt)).toBe(0);
    expect(prorate(3100, { startsAt, endsAt }, new Date('2026-03-01T00:00:00Z'))).toBe(0);
    expect(prorate(3100, { startsAt, endsAt }, new Date('2025-12-01T00:00:00Z'))).toBe(3100);
  });

  it('changing terms back and forth costs nothing', () => {
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 0, max: 31 * 24 * 3600 }), (one, other, seconds) => {
        const now = new Date(startsAt.getTime() + seconds * 1000);
        const rest = (amount: number) => prorate(amount, { startsAt, endsAt }, now);
        const there = settleWithCredit(rest(other) - rest(one), 0);
        const back = settleWithCredit(rest(one) - rest(other), there.creditCents);
        expect(there.payCents + back.payCents - back.creditCents).toBe(0);
      }),
    );
  });
});

it('the amount due is never negative, and no credit is lost', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), cents, (due, credit) => {
      const { payCents, creditCents } = settleWithCredit(due, credit);
      expect(payCents).toBeGreaterThanOrEqual(0);
      expect(creditCents).toBeGreaterThanOrEqual(0);
      expect(payCents - due).toBe(creditCents - credit);
      expect(payCents === 0 || creditCents === 0).toBe(true);
    }),
  );
});
