import { describe, expect, it, vi } from 'vitest';
import { day, expectError, type Json, RECENTLY, TIME } from './index.ts';
import { kit } from './target.ts';

const { newPartner, newLicense, pay } = kit;

const DAY_MS = 86_400_000;
const partner = await newPartner();
const referred = await newPartner({ referred_by: partner.id });
const campaigns: Json[] = [];
for (const [name, product] of [
  ['First one', 'mainchat'],
  ['Second one', 'mainchat'],
  ['For a bot', 'chatbot'],
] as const)
  campaigns.push(await partner.ok(201, 'POST', `/affiliates/campaigns?product=${product}`, { name }));
const [first, second, bot] = campaigns;
for (const { short_url } of [first, first, first, second, second, bot]) await kit.visitor().get(short_url);
const licenses = [
  await newLicense(partner, { utm_campaign: first.slug }),
  await newLicense(partner, { utm_campaign: second.slug }),
  await newLicense(partner, { utm_campaign: second.slug }),
  await newLicense(partner, { utm_campaign: bot.slug, product: 'chatbot' }),
];
const theirs = await newLicense(referred);
/** Dates within the range of reports. */
const [lately, before] = [day(-3), day(-70)];
await pay(licenses[0]!, 10_000, { paid_at: `${lately}T23:59:59Z` });
await pay(licenses[1]!, 4000);
await pay(licenses[3]!, 3000, { product: 'chatbot', paid_at: `${before}T00:00:00Z` });
await pay(theirs, 2000);
await vi.waitFor(
  async () => expect(await partner.ok(200, 'GET', '/affiliates/metrics/clicks')).toEqual({ value: 6 }),
  60_000,
);

const DATES = `date_from=${day(-100)}&date_to=${day(1)}`;
const sum = ({ items }: Json): number =>
  Math.round(items.reduce((all: number, { total }: Json) => all + total * 100, 0)) / 100;

/** The expected totals of each number: overall and by product. */
const counts: Record<string, Record<string, number>> = {
  clicks: { all: 6, mainchat: 5, chatbot: 1, helpdesk: 0, partner_program: 0 },
  trials: { all: 4, mainchat: 3, chatbot: 1, helpdesk: 0, partner_program: 0 },
  conversions: { all: 3, mainchat: 2, chatbot: 1, helpdesk: 0, partner_program: 0 },
  earnings: { all: 35, mainchat: 28, chatbot: 6, helpdesk: 0, partner_program: 1 },
};

describe.each(Object.entries(counts))('affiliates’ %s', (what, byProduct) => {
  const metric = `/affiliates/metrics/${what}`;
  const report = `/affiliates/reports/${what}`;
  const all = byProduct.all!;

  it(`GET /v2/partners/affiliates/metrics/${what} returns the total of the requested dates`, async () => {
    expect(await partner.ok(200, 'GET', metric)).toEqual({ value: all });
    expect(await partner.ok(200, 'GET', `${metric}?${DATES}`)).toEqual({ value: all });
    expect(await partner.ok(200, 'GET', `${metric}?date_from=${day(1)}`)).toEqual({ value: 0 });
    expect(await partner.ok(200, 'GET', `${metric}?date_to=${day(-100)}T23:59:59Z`)).toEqual({ value: 0 });
    for (const [product, value] of Object.entries(byProduct))
      expect({ product, ...(await partner.ok(200, 'GET', `${metric}?product=${product}`)) }).toEqual({
        product,
        value,
      });
    for (const query of ['date_from=x', `date_from=${day()}&date_to=${day(-1)}`, 'date_to=2026-06-31', 'product=phone'])
      expectError(await partner.sendRequest('GET', `${metric}?${query}`), 400);
  });

  it.each(['day', 'week', 'month'])(
    `GET /v2/partners/affiliates/reports/${what} returns totals by %s`,
    async (aggregation) => {
      const body = await partner.ok(200, 'GET', `${report}?${DATES}&aggregation=${aggregation}`);
      expect(sum(body)).toBe(all);
      expectBuckets(body, aggregation, day(-100), day(1));
      for (const [product, value] of Object.entries(byProduct))
        expect(
          sum(await partner.ok(200, 'GET', `${report}?${DATES}&aggregation=${aggregation}&product=${product}`)),
        ).toBe(value);
    },
  );

  it(`GET /v2/partners/affiliates/reports/${what} requires dates and aggregation`, async () => {
    for (const [query, field] of [
      [`date_to=${day()}&aggregation=day`, 'date_from'],
      [`date_from=${day()}&aggregation=day`, 'date_to'],
      [RECENTLY, 'aggregation'],
      [`${RECENTLY}&aggregation=year`, 'aggregation'],
      [`${RECENTLY}&aggregation=day&product=phone`, 'product'],
      [`date_from=${day()}&date_to=${day(-1)}&aggregation=day`, 'date_from'],
    ] as const)
      expectError(await partner.sendRequest('GET', `${report}?${query}`), 400, field);
  });

  it('POST is equivalent to GET, with parameters in the query, JSON or a form', async () => {
    const parameters = { date_from: day(-100), date_to: `${day(1)}T00:00:00Z`, aggregation: 'month', product: 'all' };
    const query = new URLSearchParams(parameters);
    for (const path of [metric, report]) {
      const expected = await partner.ok(200, 'GET', `${path}?${query}`);
      expect(await partner.ok(200, 'POST', `${path}?${query}`)).toEqual(expected);
      expect(await partner.ok(200, 'POST', path, parameters)).toEqual(expected);
      expect(await partner.ok(200, 'POST', path, query)).toEqual(expected);
    }
    expectError(await partner.sendRequest('POST', report, { ...parameters, aggregation: 'year' }), 400, 'aggregation');
    expectError(await partner.sendRequest('POST', metric, { date_from: 'x' }), 400, 'date_from');
  });

  const value = (id: number): number =>
    ({ clicks: [3, 2, 1], trials: [1, 2, 1], conversions: [1, 1, 1], earnings: [20, 8, 6] })[what]![
      campaigns.findIndex((one) => one.id === id)
    ]!;

  it(`GET …/best-performing/reports/${what} and metrics/${what} rank the campaigns`, async () => {
    const at = '/affiliates/campaigns/best-performing';
    const { items } = await partner.ok(200, 'GET', `${at}/reports/${what}?limit=10&${DATES}`);
    const own = items.filter(({ id }: Json) => campaigns.some((one) => one.id === id));
    expect(own).toHaveLength(3);
    for (const item of own) {
      const { name, product } = campaigns.find(({ id }) => id === item.id)!;
      expect(item).toEqual({ id: item.id, name, product, value: value(item.id) });
    }
    const values = items.map((item: Json) => item.value);
    expect(values).toEqual(values.toSorted((one: number, other: number) => other - one));
    for (const limit of [1, 2, 10]) {
      const report = await partner.ok(200, 'GET', `${at}/reports/${what}?limit=${limit}&${DATES}`);
      expect(report.items).toEqual(items.slice(0, limit));
      const total = report.items.reduce((all: number, item: Json) => all + item.value, 0);
      expect(await partner.ok(200, 'GET', `${at}/metrics/${what}?limit=${limit}&${DATES}`)).toEqual({ value: total });
      expect(
        await partner.ok(200, 'POST', `${at}/reports/${what}`, { limit, date_from: day(-100), date_to: day(1) }),
      ).toEqual(report);
      expect(await partner.ok(200, 'POST', `${at}/metrics/${what}?limit=${limit}&${DATES}`)).toEqual({ value: total });
    }
    expect(await partner.ok(200, 'GET', `${at}/reports/${what}?limit=3&date_from=${day(1)}&date_to=${day(2)}`)).toEqual(
      { items: [] },
    );
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=1e9',
      'date_from=x',
      `date_from=${day()}&date_to=${day(-1)}`,
    ])
      for (const kind of ['reports', 'metrics'])
        expectError(await partner.sendRequest('GET', `${at}/${kind}/${what}?${query}`), 400);
  });
});

/** Checks consecutive whole periods from the first day to the last, limited to the last 12 months. */
const expectBuckets = ({ items }: Json, aggregation: string, from: string, to: string): void => {
  const spans: [string, string][] = items.map(({ date_range }: Json) => [date_range.from, date_range.to]);
  for (const { date_range } of items) expect(date_range).toEqual({ from: TIME, to: TIME });
  const parse = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
  for (const [at, [begin, end]] of spans.entries()) {
    expect([begin.slice(11), end.slice(11)]).toEqual(['00:00:00', '23:59:59']);
    if (at > 0) expect(parse(begin)).toBe(parse(spans[at - 1]![1]) + 1000);
    const days = (parse(end) + 1000 - parse(begin)) / DAY_MS;
    if (aggregation === 'day') expect(days).toBe(1);
    if (aggregation === 'week') expect([days, new Date(parse(begin)).getUTCDay()]).toEqual([7, 1]);
    if (aggregation === 'month')
      expect([begin.slice(8, 10), new Date(parse(end) + 1000).getUTCDate()]).toEqual(['01', 1]);
  }
  expect(parse(spans[0]![0])).toBeLessThanOrEqual(Date.parse(from));
  expect(parse(spans.at(-1)![1]) + 1000).toBeGreaterThanOrEqual(Date.parse(to) + DAY_MS);
};

describe('reports', () => {
  it('payments in the last second of a day and the first of the next are in different buckets', async () => {
    const { items } = await partner.ok(200, 'GET', `/affiliates/reports/earnings?${DATES}&aggregation=day`);
    const filled = items
      .filter(({ total }: Json) => total !== 0)
      .map(({ date_range, total }: Json) => [date_range.from.slice(0, 10), total]);
    expect(filled).toEqual([
      [before, 6],
      [lately, 20],
      [day(), 9],
    ]);
  });

  it('reports cover at most the last 12 months', async () => {
    const query = `date_from=2010-01-01&date_to=${day()}`;
    const { items } = await partner.ok(200, 'GET', `/affiliates/reports/clicks?${query}&aggregation=month`);
    expect(items.length).toBeGreaterThanOrEqual(12);
    expect(items.length).toBeLessThanOrEqual(13);
    const long = await partner.ok(
      200,
      'GET',
      '/affiliates/reports/clicks?date_from=2010-01-01&date_to=2011-01-01&aggregation=month',
    );
    expect(long).toEqual({ items: [] });
  });
});

describe('commission', () => {
  const commission = async (path: string, query: string): Promise<number> =>
    path.includes('/metrics/')
      ? (await partner.ok(200, 'GET', `${path}?${DATES}&${query}`)).value
      : sum(await partner.ok(200, 'GET', `${path}?${DATES}&aggregation=week&${query}`));

  it('GET /v2/partners/metrics/commission filters by product and program', async () => {
    expect(await partner.ok(200, 'GET', '/metrics/commission')).toEqual({ value: 35 });
    for (const [query, value] of [
      ['', 35],
      ['product=all&program=all', 35],
      ['product=mainchat', 28],
      ['product=chatbot', 6],
      ['product=helpdesk', 0],
      ['program=affiliate', 35],
      ['program=solution', 0],
      ['product=chatbot&program=affiliate', 6],
    ] as const)
      expect([query, await commission('/metrics/commission', query)]).toEqual([query, value]);
    for (const wrong of ['product=phone', 'program=both', 'date_from=x'])
      expectError(await partner.sendRequest('GET', `/metrics/commission?${wrong}`), 400);
    expect(await partner.ok(200, 'POST', '/metrics/commission', { product: 'mainchat', program: 'affiliate' })).toEqual(
      { value: 28 },
    );
  });

  it('GET /v2/partners/reports/commission applies filters', async () => {
    const is = (field: string, value: string) => ({ field, value, operator: 'equals' });
    for (const [filters, value] of [
      [[], 35],
      [[is('product', 'mainchat')], 28],
      [[is('product', 'chatbot')], 6],
      [[is('program', 'affiliate')], 35],
      [[is('program', 'solution')], 0],
      [[is('program', 'affiliate'), is('product', 'chatbot')], 6],
    ] as const) {
      const query = `filters=${encodeURIComponent(JSON.stringify(filters))}`;
      expect([filters, await commission('/reports/commission', query)]).toEqual([filters, value]);
    }
    for (const aggregation of ['day', 'week', 'month'])
      expectBuckets(
        await partner.ok(200, 'GET', `/reports/commission?${DATES}&aggregation=${aggregation}`),
        aggregation,
        day(-100),
        day(1),
      );
    const parameters = {
      date_from: day(-100),
      date_to: day(1),
      aggregation: 'week',
      filters: [is('product', 'chatbot')],
    };
    expect(sum(await partner.ok(200, 'POST', '/reports/commission', parameters))).toBe(6);
    for (const query of ['aggregation=day', RECENTLY, `${RECENTLY}&aggregation=hour`])
      expectError(await partner.sendRequest('GET', `/reports/commission?${query}`), 400);
    for (const wrong of [
      '{',
      '{}',
      '[1]',
      JSON.stringify([{ ...is('product', 'mainchat'), operator: 'contains' }]),
      JSON.stringify([is('name', 'x')]),
      JSON.stringify([is('product', 'phone')]),
    ])
      expectError(
        await partner.sendRequest(
          'GET',
          `/reports/commission?${RECENTLY}&aggregation=day&filters=${encodeURIComponent(wrong)}`,
        ),
        400,
      );
  });

  it.each(['reports', 'metrics'])(
    'GET /v2/partners/partners-referred/%s/commission filters by product and program',
    async (kind) => {
      const path = `/partners-referred/${kind}/commission`;
      for (const [query, value] of [
        ['', 1],
        ['product=all&program=all', 1],
        ['product=mainchat', 1],
        ['product=chatbot', 0],
        ['program=affiliate', 1],
        ['program=solution', 0],
      ] as const)
        expect([query, await commission(path, query)]).toEqual([query, value]);
      for (const wrong of ['product=phone', 'program=both', 'date_from=x'])
        expectError(await partner.sendRequest('GET', `${path}?date_to=${day()}&aggregation=day&${wrong}`), 400);
      const parameters = { date_from: day(-1), date_to: day(1), aggregation: 'day' };
      expect(await partner.ok(200, 'POST', path, parameters)).toEqual(
        await partner.ok(200, 'GET', `${path}?${new URLSearchParams(parameters)}`),
      );
      if (kind === 'reports')
        for (const query of ['aggregation=day', RECENTLY])
          expectError(await partner.sendRequest('GET', `${path}?${query}`), 400);
    },
  );

  it('the commission of a referred partner is not counted as the referrer’s own', async () => {
    expect(await referred.ok(200, 'GET', '/metrics/commission')).toEqual({ value: 4 });
    expect(await referred.ok(200, 'GET', '/partners-referred/metrics/commission')).toEqual({ value: 0 });
  });
});
