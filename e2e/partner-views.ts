import { expect } from 'vitest';
import type { Json } from './conformance/customer/call.ts';

/** The numbers of a partner, in counts and cents. Licenses are those referred as an affiliate. */
export interface PartnerNumbers {
  clicks: number;
  trials: number;
  qualified: number;
  converted: number;
  /** Current values. */
  onTrial: number;
  paid: number;
  expired: number;
  partnersReferred: number;
  /** Commission of both tiers, minus reversals. */
  own: number;
  second: number;
  available: number;
  held: number;
  pending: number;
  withdrawn: number;
}

/** Responses of `GET /v2/partners…`. */
export type Read = (path: string) => Promise<Json>;

const cents = (amount: number | string): number => Math.round(Number(amount) * 100);
const sum = (items: Json[], name: string): number => items.reduce((all, item) => all + item[name], 0);
const sumCents = (items: Json[], name: string): number => items.reduce((all, item) => all + cents(item[name]), 0);
const count = (items: Json[], name: string): number => items.filter((item) => item[name]).length;

const readPages = async (read: Read, path: string): Promise<Json[]> => {
  const found: Json[] = [];
  for (let cursor = '', more = true; more; more = cursor !== '') {
    const { results, next_cursor } = await read(`${path}&next_cursor=${encodeURIComponent(cursor)}`);
    found.push(...results);
    cursor = next_cursor;
  }
  return found;
};

const readSearch = async (read: Read): Promise<number> => {
  const [active, archived] = [
    await read('/affiliates/campaigns/search?state=active'),
    await read('/affiliates/campaigns/search?state=archived'),
  ];
  return cents(active.value) + cents(archived.value);
};

/** Every view of each number. Everything happened between `days`, within the last 12 months. */
const readAll = async (read: Read, days: string) => {
  const best = '/affiliates/campaigns/best-performing';
  const [stats, earnings, earlier, balance, active, summary] = await Promise.all(
    ['/stats', '/earnings', '/earnings?shape=earlier', '/balance', '/active-licenses', '/affiliates/summary'].map(read),
  );
  const lists = ['/affiliates/licenses', '/affiliates/performance', '/affiliates/performance?shape=earlier'];
  const [licenses, performance, older, referred, history] = await Promise.all(
    [...lists, '/affiliates/partners-referred', '/affiliates/history'].map(async (path) => (await read(path)).result),
  );
  const tiers = await read('/affiliates/licenses?shape=earlier');
  const commissions = await readPages(read, '/commissions?limit=100');
  const reports: Record<string, number> = {};
  const readReport = async (name: string, path: string, toNumber: (value: number) => number): Promise<void> => {
    for (const aggregation of ['day', 'week', 'month']) {
      const { items } = await read(`${path}?${days}&aggregation=${aggregation}`);
      reports[`${name} by ${aggregation}`] = items.reduce((all: number, { total }: Json) => all + toNumber(total), 0);
    }
  };
  const metrics: Record<string, number> = {};
  for (const what of ['clicks', 'trials', 'conversions', 'earnings']) {
    const toNumber = what === 'earnings' ? cents : Number;
    metrics[what] = toNumber((await read(`/affiliates/metrics/${what}`)).value);
    metrics[`best ${what}`] = toNumber((await read(`${best}/metrics/${what}?limit=100&${days}`)).value);
    const { items } = await read(`${best}/reports/${what}?limit=100&${days}`);
    metrics[`listed ${what}`] = items.reduce((all: number, { value }: Json) => all + toNumber(value), 0);
    await readReport(what, `/affiliates/reports/${what}`, toNumber);
  }
  metrics.commission = cents((await read('/metrics/commission')).value);
  metrics.second = cents((await read('/partners-referred/metrics/commission')).value);
  await readReport('commission', '/reports/commission', cents);
  await readReport('second', '/partners-referred/reports/commission', cents);
  const statuses = await Promise.all(
    ['trial', 'paid', 'expired'].map(
      async (status) => (await readPages(read, `/affiliates/licenses/${status}?${days}`)).length,
    ),
  );
  const { affiliate, solution } = stats;
  const now = Object.values<Json>({ ...affiliate, partner_program: undefined }).filter((one) => one !== undefined);
  return {
    counts: {
      clicks: [sum(performance, 'clicks'), sum(older, 'clicks')],
      trials: [
        licenses.length,
        sum(performance, 'trials'),
        sum(older, 'trials'),
        tiers.tier1.length,
        sum(history, 'trials'),
      ],
      qualified: [count(licenses, 'ql'), sum(performance, 'qls')],
      converted: [count(licenses, 'paid'), sum(performance, 'paid'), sum(older, 'paid'), sum(history, 'paid')],
      onTrial: [sum(now, 'trials'), active.affiliate_trials, summary.trials, statuses[0]],
      paid: [sum(now, 'paid'), active.affiliate_paid, summary.paid, statuses[1]],
      expired: [summary.expired, statuses[2]],
      partnersReferred: [
        affiliate.partner_program.partners_referred,
        referred.length,
        sum(performance, 'partners_referred'),
      ],
    },
    money: {
      total: [
        ...[cents(earnings.commission_total), cents(earnings.commission_last_30_days), cents(earlier.commission)],
        ...[cents(earnings.affiliate.commission_total) + cents(earnings.solution.commission_total)],
        ...[sumCents(performance, 'commission'), sumCents(older, 'commission'), sumCents(history, 'commission')],
        ...[sumCents(commissions, 'net_amount'), await readSearch(read)],
      ],
      own: [sumCents(licenses, 'earnings'), sumCents(tiers.tier1, 'total_commission')],
      second: [
        ...[cents(earnings.affiliate.partner_program.commission_total), sumCents(referred, 'commission')],
        sumCents(tiers.tier2, 'total_commission'),
      ],
      available: [cents(balance.available), cents(earnings.balance), cents(earlier.balance)],
      held: [cents(earnings.blocked), cents(earlier.blocked)],
      pending: [cents(balance.pending), cents(earnings.pending), cents(earlier.pending)],
      withdrawn: [cents(balance.withdrawn), cents(earnings.withdrawals), cents(earlier.withdrawals)],
      balance: [cents(balance.total)],
    },
    metrics,
    reports,
    solution: sum(Object.values(solution), 'paid'),
  };
};

const everyPeriod = (name: string, value: number): Record<string, number> =>
  Object.fromEntries(['day', 'week', 'month'].map((aggregation) => [`${name} by ${aggregation}`, value]));

/** Checks that all views show the expected value. */
export const expectPartnerNumbers = async (read: Read, days: string, expected: PartnerNumbers): Promise<void> => {
  const { own, second, available, held, pending, withdrawn, ...counts } = expected;
  const shown = await readAll(read, days);
  const total = own + second;
  const expectedValues = {
    ...{ ...counts, total, own, second, available, held, pending, withdrawn },
    balance: pending + withdrawn + available,
  };
  const shownNumbers = Object.entries({ ...shown.counts, ...shown.money });
  const differing = shownNumbers.filter(([name, values]) =>
    values.some((one) => one !== expectedValues[name as keyof typeof expectedValues]),
  );
  expect(Object.fromEntries(differing)).toEqual(
    Object.fromEntries(
      differing.map(([name, values]) => [name, values.map(() => expectedValues[name as keyof typeof expectedValues])]),
    ),
  );
  const numbers = { clicks: counts.clicks, trials: counts.trials, conversions: counts.converted, earnings: total };
  const inMetrics = Object.entries(numbers).flatMap(([name, value]) =>
    [name, `best ${name}`, `listed ${name}`].map((one) => [one, value] as const),
  );
  expect(shown.metrics).toEqual({ ...Object.fromEntries(inMetrics), commission: total, second });
  const inReports = Object.entries({ ...numbers, commission: total, second }).map((pair) => everyPeriod(...pair));
  expect(shown.reports).toEqual(Object.assign({}, ...inReports));
};
