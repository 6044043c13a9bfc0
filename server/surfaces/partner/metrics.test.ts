import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  anyHistory,
  anyMoment,
  DAY_MS,
  type History,
  NOW,
  type PastPartners,
  writeHistory,
} from '../../testing/builders/partner-history.ts';
import { callAs, type TestAnswer } from '../../testing/http/partner.ts';
import {
  best,
  type Fact,
  type Facts,
  factsOf,
  isAffiliates,
  isSecondTier,
  type ModelSpan,
  performance,
  sum,
} from '../../testing/models/partner.ts';

const test = useTestApp();

const SEED = 20_260_302;
const RUNS = 25;

/** A date or timestamp of a query, and the range it means. */
const anyDates = fc.tuple(anyMoment, anyMoment, fc.boolean(), fc.boolean()).map(([one, other, fromDay, toDay]) => {
  const [first, last] = [one, other].sort((a, b) => Number(a) - Number(b)) as [Date, Date];
  const write = (date: Date, asDay: boolean): string =>
    asDay ? date.toISOString().slice(0, 10) : `${date.toISOString().slice(0, 19)}Z`;
  const [from, to] = [write(first, fromDay), write(last, toDay)];
  return {
    text: `date_from=${from}&date_to=${to}`,
    span: { from: Date.parse(from), until: Date.parse(to) + (toDay ? DAY_MS : 1000) },
  };
});

const anyQuestion = fc.record({
  dates: anyDates,
  product: fc.constantFrom('mainchat', 'chatbot', 'helpdesk', 'partner_program', 'all'),
  program: fc.constantFrom('affiliate', 'solution', 'all'),
  aggregation: fc.constantFrom('day', 'week', 'month'),
  limit: fc.integer({ min: 1, max: 4 }),
});
type Question = typeof anyQuestion extends fc.Arbitrary<infer Q> ? Q : never;
type Get = (path: string) => Promise<TestAnswer['body']>;

const EVER: ModelSpan = { from: -Infinity, until: Infinity };
/** Reports have no data before this. */
const YEAR_AGO = Date.UTC(2025, 2, 2);

const ofProduct = (facts: Fact[], product: string): Fact[] =>
  product === 'all' ? facts : facts.filter((fact) => fact.product === product);

/** In whole cents or counts, to avoid rounding differences. */
const whole = (value: number, scale = 100): number => Math.round(value * scale);

interface Item {
  date_range: { from: string; to: string };
  total: number;
}

const spanOf = ({ date_range: { from, to } }: Item): ModelSpan => ({
  from: Date.parse(`${from}Z`),
  until: Date.parse(`${to}Z`) + 1000,
});

/** Checks that periods have no gaps and add up to the total. */
const expectReport = async (items: Item[], facts: Fact[], requested: ModelSpan, scale = 100) => {
  const span = { from: Math.max(requested.from, YEAR_AGO), until: requested.until };
  if (span.from >= span.until) return expect(items).toEqual([]);
  const periods = items.map(spanOf);
  expect(periods[0]!.from).toBeLessThanOrEqual(span.from);
  expect(periods.at(-1)!.until).toBeGreaterThanOrEqual(span.until);
  for (const [at, period] of periods.entries()) {
    if (at > 0) expect(period.from).toBe(periods[at - 1]!.until);
    expect(period.from < span.until && period.until > span.from).toBe(true);
    const part = { from: Math.max(period.from, span.from), until: Math.min(period.until, span.until) };
    expect(whole(items[at]!.total, scale)).toBe(sum(facts, part));
  }
  expect(items.reduce((total, item) => total + whole(item.total, scale), 0)).toBe(sum(facts, span));
};

const expectAffiliateNumber = async (get: Get, name: string, facts: Fact[], question: Question) => {
  const { dates, product, aggregation, limit } = question;
  const scale = name === 'earnings' ? 100 : 1;
  const some = ofProduct(facts, product);
  const bestAt = '/affiliates/campaigns/best-performing';
  const [metric, ever, report, bestReport, bestMetric] = await Promise.all([
    get(`/affiliates/metrics/${name}?${dates.text}&product=${product}`),
    get(`/affiliates/metrics/${name}`),
    get(`/affiliates/reports/${name}?${dates.text}&aggregation=${aggregation}&product=${product}`),
    get(`${bestAt}/reports/${name}?${dates.text}&limit=${limit}`),
    get(`${bestAt}/metrics/${name}?${dates.text}&limit=${limit}`),
  ]);
  expect(whole(metric.value, scale)).toBe(sum(some, dates.span));
  expect(whole(ever.value, scale)).toBe(sum(facts, EVER));
  await expectReport(report.items, some, dates.span, scale);
  const expected = best(facts, dates.span, limit);
  const items: { id: number; value: number }[] = bestReport.items;
  expect(items.map(({ id, value }) => [id, whole(value, scale)])).toEqual(expected);
  expect(whole(bestMetric.value, scale)).toBe(expected.reduce((total, [, value]) => total + value, 0));
};

const expectCommission = async (get: Get, facts: Fact[], { dates, product, program, aggregation }: Question) => {
  const isMeant = (fact: Fact): boolean => program === 'all' || isAffiliates(fact) === (program === 'affiliate');
  const some = ofProduct(facts.filter(isMeant), product);
  const filters = Object.entries({ program, product })
    .filter(([, value]) => value !== 'all')
    .map(([field, value]) => ({ field, operator: 'equals', value }));
  const text = encodeURIComponent(JSON.stringify(filters));
  const metric = await get(`/metrics/commission?${dates.text}&program=${program}&product=${product}`);
  const report = await get(`/reports/commission?${dates.text}&aggregation=${aggregation}&filters=${text}`);
  expect(whole(metric.value)).toBe(sum(some, dates.span));
  await expectReport(report.items, some, dates.span);
};

const expectReferredCommission = async (get: Get, facts: Fact[], question: Question) => {
  const { dates, product, program, aggregation } = question;
  const some = facts
    .filter(isSecondTier)
    .filter((fact) => program === 'all' || fact.program === program)
    .filter(({ licenseProduct }) => ['all', 'partner_program', licenseProduct].includes(product));
  const requested = `${dates.text}&program=${program}&product=${product}`;
  const metric = await get(`/partners-referred/metrics/commission?${requested}`);
  const report = await get(`/partners-referred/reports/commission?${requested}&aggregation=${aggregation}`);
  expect(whole(metric.value)).toBe(sum(some, dates.span));
  await expectReport(report.items, some, dates.span);
};

const expectPerformance = async (get: Get, history: History, cast: PastPartners, query: string, span: ModelSpan) => {
  const { result } = await get(`/affiliates/performance?${query}`);
  const rows = result.map((row: Record<string, string & number>) => {
    const { id = 0 } = cast.partner.campaigns.find(({ name }) => name === row.campaign_name) ?? {};
    const { clicks, trials, qls, paid, partners_referred, commission } = row;
    return [
      [row.product, id, row.campaign_name, row.utm_campaign, row.utm_medium].join('|'),
      { clicks, trials, qls, paid, partners_referred, cents: whole(commission!) },
    ];
  });
  expect(new Map(rows)).toEqual(performance(history, cast, span));
  expect(new Set(rows.map(([key]: [string]) => key)).size).toBe(rows.length);
};

/** Compares with other operations that show the same numbers. */
const expectTheSameElsewhere = async (get: Get, facts: Facts) => {
  const earnings = facts.commission.filter(isAffiliates);
  const second = sum(earnings.filter(isSecondTier), EVER);
  const returned = await get('/earnings');
  expect(whole(returned.commission_total)).toBe(sum(facts.commission, EVER));
  expect(whole(returned.affiliate.commission_total)).toBe(sum(earnings, EVER));
  expect(whole(returned.affiliate.partner_program.commission_total)).toBe(second);
  expect(whole((await get('/affiliates/partners-referred')).result[0].commission)).toBe(second);
  expect((await get('/affiliates/licenses')).result).toHaveLength(facts.trials.length);
  const { result: months } = await get('/affiliates/history');
  expect(months).toHaveLength(12);
  expect(months.at(-1).date).toBe(NOW.toISOString().slice(0, 7));
  for (const { date, trials, paid, commission } of months) {
    const [year, month] = date.split('-').map(Number);
    const span = { from: Date.UTC(year, month - 1), until: Date.UTC(year, month) };
    const expected = [sum(facts.trials, span), sum(facts.conversions, span), sum(earnings, span)];
    expect([trials, paid, whole(commission)]).toEqual(expected);
  }
};

describe('metrics, reports and the best campaigns', () => {
  it(`match a count over all rows (seed ${SEED})`, async () => {
    const anyQuestions = fc.array(anyQuestion, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(anyHistory, anyQuestions, async (history, questions) => {
      const cast = await writeHistory(test, history);
      const call = callAs(
        () => test,
        () => cast.partner.token,
      );
      const get: Get = async (path) => {
        const { status, body } = await call('GET', path);
        expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
        return body;
      };
      const facts = factsOf(history, cast);
      const { commission, ...counts } = facts;
      for (const question of questions) {
        for (const [name, counted] of Object.entries({ ...counts, earnings: commission.filter(isAffiliates) }))
          await expectAffiliateNumber(get, name, counted, question);
        await expectCommission(get, commission, question);
        await expectReferredCommission(get, commission, question);
        await expectPerformance(get, history, cast, question.dates.text, question.dates.span);
      }
      await expectPerformance(get, history, cast, '', EVER);
      await expectTheSameElsewhere(get, facts);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  }, 120_000);
});
