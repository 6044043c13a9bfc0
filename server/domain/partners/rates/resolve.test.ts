import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pickRate, type Rate, type RateQuestion } from './resolve.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
const anyOrNull = <T>(...values: T[]) => fc.constantFrom(null, ...values);

const anyRate = fc
  .record({
    kind: fc.constantFrom('commission' as const, 'commission' as const, 'second_tier' as const),
    program: anyOrNull('affiliate' as const, 'solution' as const),
    product: anyOrNull('mainchat' as const, 'chatbot' as const),
    forPartnerId: anyOrNull(1, 2),
    campaign: anyOrNull(10, 20),
    percent: fc.integer({ min: 0, max: 10_000 }),
    startsAt: fc.integer({ min: 1, max: 9 }),
    lasts: fc.option(fc.integer({ min: 1, max: 6 })),
    createdAt: fc.integer({ min: 1, max: 4 }),
  })
  .map(
    ({ campaign, percent, startsAt, lasts, createdAt, ...rest }): Omit<Rate, 'id'> => ({
      ...rest,
      // Like in the database, the rate of a campaign names its partner too.
      forCampaignId: rest.forPartnerId === null ? null : campaign,
      percent: (percent / 100).toFixed(2),
      startsAt: day(startsAt),
      endsAt: lasts === null ? null : day(startsAt + lasts),
      createdAt: day(createdAt),
    }),
  );
const anyRates = fc
  .array(anyRate, { maxLength: 12 })
  .map((rates) => rates.map((rate, index): Rate => ({ ...rate, id: index + 1 })));

const anyQuestion: fc.Arbitrary<RateQuestion> = fc.record({
  kind: fc.constantFrom('commission', 'second_tier'),
  partnerId: fc.constantFrom(1, 2),
  program: fc.constantFrom('affiliate', 'solution'),
  product: fc.constantFrom('mainchat', 'chatbot'),
  campaignId: fc.constantFrom(undefined, null, 10, 20),
  at: fc.integer({ min: 1, max: 12 }).map(day),
});

/** The documented rule: the most specific valid rate, and among equals the newest. */
const model = (rates: Rate[], requested: RateQuestion): Rate | undefined => {
  const candidates = rates.filter((rate) => {
    if (rate.kind !== requested.kind || rate.startsAt > requested.at) return false;
    if (rate.endsAt !== null && rate.endsAt <= requested.at) return false;
    if (rate.program !== null && rate.program !== requested.program) return false;
    return rate.product === null || rate.product === requested.product;
  });
  const levels: ((rate: Rate) => boolean)[] = [
    (rate) => rate.forCampaignId !== null && rate.forCampaignId === requested.campaignId,
    (rate) => rate.forCampaignId === null && rate.product !== null,
    (rate) => rate.forCampaignId === null,
  ];
  for (const level of levels) {
    const own = candidates.filter((rate) => rate.forPartnerId === requested.partnerId && level(rate));
    if (own.length > 0) return newest(own);
  }
  const general = candidates.filter((rate) => rate.forPartnerId === null);
  return newest(general.filter((rate) => rate.product !== null)) ?? newest(general);
};
const newest = (rates: Rate[]): Rate | undefined =>
  rates.reduce<Rate | undefined>(
    (best, rate) =>
      !best || rate.createdAt > best.createdAt || (+rate.createdAt === +best.createdAt && rate.id > best.id)
        ? rate
        : best,
    undefined,
  );

describe('the rate of a payment', () => {
  it('the most specific valid rate applies, in any order of creation', () => {
    fc.assert(
      fc.property(anyRates, anyQuestion, fc.boolean(), (rates, question, turned) => {
        const expected = model(rates, question);
        const found = pickRate(turned ? rates.toReversed() : rates, question);
        expect(found.rateId).toBe(expected?.id);
        expect(found.percent).toBe(expected ? Number(expected.percent) : 0);
        expect(found.endsAt).toEqual(expected?.endsAt ?? null);
        expect(found.rule === 'none').toBe(expected === undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('a rate names the rule that decided', () => {
    const base = { kind: 'commission', percent: '1.00', startsAt: day(1), endsAt: null, createdAt: day(1) } as const;
    const forAll = { program: null, product: null, forPartnerId: null, forCampaignId: null };
    const question: RateQuestion = {
      ...{ kind: 'commission', partnerId: 1, program: 'affiliate', product: 'mainchat' },
      ...{ campaignId: 10, at: day(5) },
    };
    const rates: Rate[] = [
      { ...base, ...forAll, id: 1 },
      { ...base, ...forAll, id: 2, product: 'mainchat' },
      { ...base, ...forAll, id: 3, forPartnerId: 1 },
      { ...base, ...forAll, id: 4, forPartnerId: 1, product: 'mainchat' },
      { ...base, ...forAll, id: 5, forPartnerId: 1, forCampaignId: 10 },
    ];
    const rules = [1, 2, 3, 4, 5].map((count) => pickRate(rates.slice(0, count), question).rule);
    expect(rules).toEqual(['programme', 'product', 'partner', 'partner_product', 'campaign']);
  });
});
