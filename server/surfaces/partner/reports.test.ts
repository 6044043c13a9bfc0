import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { earn } from '#server/testing/builders/ledger.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeAll(async () => {
  partner = await buildPartner(test);
});

const call = callAs(
  () => test,
  () => partner.token,
);

const WITH_BUCKETS = [
  ...['clicks', 'trials', 'conversions', 'earnings'].map((name) => `/affiliates/reports/${name}`),
  '/reports/commission',
  '/partners-referred/reports/commission',
];
const WITHOUT = [
  ...['clicks', 'trials', 'conversions', 'earnings'].flatMap((name) => [
    `/affiliates/metrics/${name}`,
    `/affiliates/campaigns/best-performing/reports/${name}`,
    `/affiliates/campaigns/best-performing/metrics/${name}`,
  ]),
  '/metrics/commission',
  '/partners-referred/metrics/commission',
];

describe('a report', () => {
  beforeEach(async () => {
    partner = await buildPartner(test);
  });

  it('a report lists every period with its first and last second', async () => {
    await earn(test, partner, 1234, { occurredAt: new Date('2026-02-28T23:59:59.999Z') });
    await earn(test, partner, 1, { occurredAt: new Date('2026-03-01T00:00:00.000Z') });
    const { body } = await call('GET', '/reports/commission?date_from=2026-01-31&date_to=2026-03-31&aggregation=month');
    const month = (from: string, to: string, total: number) => ({
      date_range: { from: `${from} 00:00:00`, to: `${to} 23:59:59` },
      total,
    });
    expect(body).toEqual({
      items: [
        month('2026-01-01', '2026-01-31', 0),
        month('2026-02-01', '2026-02-28', 12.34),
        month('2026-03-01', '2026-03-31', 0.01),
      ],
    });
    const weeks = await call('GET', '/reports/commission?date_from=2026-03-01&date_to=2026-03-02&aggregation=week');
    expect(weeks.body.items.map((item: { date_range: object }) => item.date_range)).toEqual([
      { from: '2026-02-23 00:00:00', to: '2026-03-01 23:59:59' },
      { from: '2026-03-02 00:00:00', to: '2026-03-08 23:59:59' },
    ]);
  });

  it('a report subtracts reversals and may be negative', async () => {
    await earn(test, partner, 1000);
    await earn(test, partner, -2550, { kind: 'reversal' });
    const { body } = await call('GET', '/reports/commission?date_from=2026-03-02&date_to=2026-03-02&aggregation=day');
    expect(body.items[0].total).toBe(-15.5);
    expect((await call('GET', '/metrics/commission')).body).toEqual({ value: -15.5 });
  });

  it('a report reaches back at most 12 months', async () => {
    await earn(test, partner, 100, { occurredAt: new Date('2025-03-02T00:00:00Z') });
    await earn(test, partner, 200, { occurredAt: new Date('2025-03-01T23:59:59Z') });
    const { body } = await call('GET', '/reports/commission?date_from=2020-01-01&date_to=2026-03-02&aggregation=month');
    expect(body.items).toHaveLength(13);
    expect(body.items[0]).toEqual({ date_range: { from: '2025-03-01 00:00:00', to: '2025-03-31 23:59:59' }, total: 1 });
    const before = '/reports/commission?date_from=2020-01-01&date_to=2025-01-01&aggregation=day';
    expect((await call('GET', before)).body).toEqual({ items: [] });
    expect((await call('GET', '/metrics/commission?date_from=2020-01-01')).body).toEqual({ value: 3 });
  });

  it('a report limits the number of future periods', async () => {
    const { body } = await call('GET', '/reports/commission?date_from=1970-01-01&date_to=2999-12-31&aggregation=day');
    expect(body.items).toHaveLength(2 * 365);
    expect(body.items.at(-1).date_range.to).toBe('2027-03-01 23:59:59');
  });

  it('a report applies all filters', async () => {
    await earn(test, partner, 100, { program: 'affiliate', product: 'mainchat' });
    await earn(test, partner, 1000, { program: 'solution', product: 'chatbot' });
    await earn(test, partner, 10_000, { program: 'solution', product: 'partner_program' });
    const total = async (...filters: object[]) => {
      const body = { date_from: '2026-03-02', date_to: '2026-03-02', aggregation: 'day', filters };
      return (await call('POST', '/reports/commission', body)).body.items[0].total;
    };
    const is = (field: string, value: string) => ({ field, operator: 'equals', value });
    expect(await total()).toBe(111);
    expect(await total(is('program', 'affiliate'))).toBe(101);
    expect(await total(is('program', 'solution'))).toBe(10);
    expect(await total(is('product', 'partner_program'))).toBe(100);
    expect(await total(is('product', 'chatbot'), is('program', 'solution'))).toBe(10);
    expect(await total(is('product', 'chatbot'), is('product', 'mainchat'))).toBe(0);
  });

  it.each([
    '{',
    '"x"',
    '{}',
    '[{}]',
    '[{"field":"program","operator":"equals","value":"mainchat"}]',
    '[{"field":"product","operator":"equals","value":"all"}]',
    '[{"field":"product","operator":"contains","value":"chat"}]',
    '[{"field":"name","operator":"equals","value":"x"}]',
    '[{"field":"product","operator":"equals"}]',
  ])('a report rejects the filters %s', async (filters) => {
    const dates = 'date_from=2026-03-01&date_to=2026-03-02&aggregation=day';
    const { status, body } = await call('GET', `/reports/commission?${dates}&filters=${encodeURIComponent(filters)}`);
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'validation' });
    expect(body.error.details[0].field).toMatch(/^filters/);
  });
});

describe.each(WITH_BUCKETS)('%s', (path) => {
  const requested = { date_from: '2026-02-01', date_to: '2026-03-01T12:00:00Z', aggregation: 'week' };
  const query = new URLSearchParams(requested).toString();

  it('a report works by GET and POST with parameters in the query, a form or JSON', async () => {
    const { status, body } = await call('GET', `${path}?${query}`);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(5);
    for (const [search, content] of [
      [`?${query}`, undefined],
      ['', requested],
      ['', query],
      ['?date_from=2026-02-01', { ...requested, date_from: undefined }],
      ['?date_from=2020-01-01', requested],
    ] as const)
      expect(await call('POST', `${path}${search}`, content)).toMatchObject({ status: 200, body });
  });

  it.each(['date_from', 'date_to', 'aggregation'])('requires %s', async (field) => {
    const { [field as keyof typeof requested]: _, ...rest } = requested;
    for (const answer of [await call('GET', `${path}?${new URLSearchParams(rest)}`), await call('POST', path, rest)])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { type: 'validation', details: [{ field, message: 'is required' }] } },
      });
  });

  it('a report rejects another aggregation', async () => {
    expect((await call('GET', `${path}?${query.replace('week', 'year')}`)).status).toBe(400);
    expect((await call('POST', path, { ...requested, aggregation: 'hour' })).status).toBe(400);
  });
});

describe.each(WITHOUT)('%s', (path) => {
  it('the metric works by GET and POST, with and without dates', async () => {
    const { status, body } = await call('GET', path);
    expect(status).toBe(200);
    expect(await call('POST', path)).toMatchObject({ status: 200, body });
    expect(await call('POST', path, { date_from: '2026-03-01', date_to: '2026-03-02' })).toMatchObject({ status: 200 });
  });
});

describe.each([...WITH_BUCKETS, ...WITHOUT])('the dates of %s', (path) => {
  const rest = WITH_BUCKETS.includes(path) ? '&aggregation=day' : '';

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2026-03-02T10:00:01Z', '2026-03-02T10:00:00Z'],
    ['2026-02-30', '2026-03-01'],
    ['2026-13-01', '2026-12-31'],
    ['0000-01-01', '2026-03-01'],
    ['2026-03-01', '9999-12-31'],
    ['2026-03-01 00:00:00', '2026-03-02'],
    ['yesterday', '2026-03-02'],
    ['', '2026-03-02'],
    ['2026-03-01T25:00:00Z', '2026-03-02'],
    ['2026-03-01T00:00:00+02:00', '2026-03-02'],
  ])('may not be %s to %s', async (from, to) => {
    const query = `date_from=${encodeURIComponent(from)}&date_to=${encodeURIComponent(to)}${rest}`;
    const { status, body } = await call('GET', `${path}?${query}`);
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'validation' });
  });
});

describe('request validation', () => {
  it.each([
    '/affiliates/metrics/clicks?product=other',
    '/metrics/commission?program=expert',
    '/partners-referred/metrics/commission?program=x',
    '/affiliates/campaigns/best-performing/reports/clicks?limit=0',
    '/affiliates/campaigns/best-performing/reports/clicks?limit=101',
    '/affiliates/campaigns/best-performing/metrics/clicks?limit=x',
  ])('rejects %s', async (path) => {
    expect((await call('GET', path)).status).toBe(400);
  });
});
