import type { Insertable } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReferredLicensesTable } from '#server/storage/tables/program.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, buildPartner, type TestOrganization } from '#server/testing/builders/factories.ts';
import { earn } from '#server/testing/builders/ledger.ts';
import { buildReferredPartner, callOperator, refer } from '#server/testing/builders/referrals.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;
let shops: TestOrganization[];

beforeEach(async () => {
  partner = await buildPartner(test);
  shops = [];
});

const call = callAs(
  () => test,
  () => partner.token,
);
const operator = callOperator(() => test);

/** Every license needs an organization; those of earlier tests are reused. */
const bring = async (about: Partial<Insertable<ReferredLicensesTable>> = {}, who: { id: number } = partner) => {
  const shop = await buildOrganization(test, { online: false });
  shops.push(shop);
  await refer(test, who, shop, about);
  return shop;
};
const campaignId = async (product = 'mainchat'): Promise<number> =>
  (await call('GET', `/affiliates/campaigns/search?state=active&product=${product}`)).body.results[0].id;
const day = (text: string): Date => new Date(`${text}T12:00:00Z`);

describe('the licenses', () => {
  it('licenses list their milestones and earnings', async () => {
    const id = await campaignId();
    const about = { utmCampaign: 'pp_main-chat', utmMedium: 'mail', utmContent: 'top', utmTerm: 'chat' };
    const shop = await bring({ campaignId: id, ...about, qualifiedAt: test.clock.now() });
    await operator('POST', `/organizations/${shop.id}/payments`, {
      ...{ external_id: shop.id, product: 'mainchat', amount_cents: 4999, currency: 'USD' },
    });
    expect((await call('GET', '/affiliates/licenses')).body).toEqual({
      result: [
        {
          product: 'mainchat',
          creation_timestamp: '2026-03-02 10:00:00',
          end_timestamp: '2026-04-02 10:00:00',
          ...{ active: true, ql: true, cc_added: true, paid: true, blocked: false },
          ...{ commission_percent: 20, earnings: 10 },
          campaign_name: 'Main chat',
          ...{ utm_campaign: 'pp_main-chat', utm_medium: 'mail', utm_content: 'top', utm_term: 'chat' },
        },
      ],
    });
  });

  it('licenses follow the status of trial and block', async () => {
    const shop = await bring();
    const [first] = (await call('GET', '/affiliates/licenses')).body.result;
    expect(first).toMatchObject({ active: true, ql: false, cc_added: false, paid: false, blocked: false, earnings: 0 });
    expect(first).toMatchObject({ end_timestamp: '2026-03-16 10:00:00', campaign_name: '' });
    await operator('PATCH', `/organizations/${shop.id}`, { status: 'blocked' });
    const [blocked] = (await call('GET', '/affiliates/licenses')).body.result;
    expect(blocked).toMatchObject({ active: false, blocked: true });
  });

  it('licenses of the range are listed newest first without those of other partners and resold ones', async () => {
    await bring({ createdAt: new Date('2026-02-01T00:00:00Z') });
    await bring({ createdAt: new Date('2026-02-03T23:59:59.999Z') });
    await bring({ createdAt: new Date('2026-02-04T00:00:00Z') });
    await bring({ program: 'solution', createdAt: day('2026-02-02') });
    await bring({ createdAt: day('2026-02-02') }, await buildPartner(test));
    const created = async (query: string) =>
      (await call('GET', `/affiliates/licenses?${query}`)).body.result.map(
        ({ creation_timestamp }: { creation_timestamp: string }) => creation_timestamp.slice(5, 10),
      );
    expect(await created('')).toEqual(['02-04', '02-03', '02-01']);
    expect(await created('date_from=2026-02-01&date_to=2026-02-03')).toEqual(['02-03', '02-01']);
    expect(await created('date_from=2026-02-01T00:00:01Z')).toEqual(['02-04', '02-03']);
    expect((await call('GET', '/affiliates/licenses?date_from=2026-02-31')).status).toBe(400);
  });

  it('licenses show the percent of the rate that applies now', async () => {
    const id = await campaignId();
    await bring({ campaignId: id });
    await bring({ product: 'chatbot' });
    const rate = { kind: 'commission', partner_id: String(partner.id), campaign_id: id, percent: 33.5 };
    expect((await operator('POST', '/rates', rate)).status).toBe(201);
    const { result } = (await call('GET', '/affiliates/licenses')).body;
    expect(result.map(({ commission_percent }: { commission_percent: number }) => commission_percent).sort()).toEqual([
      20, 33.5,
    ]);
  });
});

describe('the licenses of a status', () => {
  const dates = 'date_from=2026-01-01&date_to=2026-03-31';
  const page = async (status: string, more = '') =>
    (await call('GET', `/affiliates/licenses/${status}?${dates}${more}`)).body;

  it('licenses of a status show the times of their changes', async () => {
    const shop = await bring({ campaignId: await campaignId(), status: 'expired', convertedAt: day('2026-02-01') });
    await earn(test, partner, 250, { organizationId: shop.id });
    expect(await page('expired')).toEqual({
      results: [
        {
          ...{ campaign: 'Main chat', status: 'expired', product: 'mainchat', commission: 20, earnings: 2.5 },
          creation_timestamp: '2026-03-02 10:00:00',
          conversion_timestamp: '2026-02-01 12:00:00',
          expiration_timestamp: '2026-03-16 10:00:00',
        },
      ],
      next_cursor: '',
    });
  });

  it('licenses of a status are paged with either cursor parameter', async () => {
    const times = ['2026-02-01', '2026-02-02', '2026-02-02', '2026-02-02', '2026-02-03'].map(day);
    for (const createdAt of times) await bring({ createdAt });
    await bring({ status: 'active' });
    const seen: string[] = [];
    let cursor = '';
    for (const name of ['next_cursor', 'cursor', 'next_cursor']) {
      const { results, next_cursor } = await page('trial', `&limit=2&${name}=${cursor}`);
      seen.push(...results.map(({ creation_timestamp }: { creation_timestamp: string }) => creation_timestamp));
      cursor = next_cursor;
    }
    expect(cursor).toBe('');
    expect(seen.map((time) => time.slice(8, 10))).toEqual(['03', '02', '02', '02', '01']);
  });

  it('paging never skips or repeats a license that existed all the time', async () => {
    for (let n = 1; n < 6; n++) await bring({ createdAt: day(`2026-02-0${n}`) });
    const { results, next_cursor } = await page('trial', '&limit=2');
    await bring({ createdAt: day('2026-02-09') });
    const { results: rest } = await page('trial', `&limit=15&next_cursor=${next_cursor}`);
    expect([...results, ...rest].map(({ creation_timestamp }) => creation_timestamp.slice(8, 10))).toEqual([
      ...['05', '04', '03', '02', '01'],
    ]);
  });

  it('a cursor is bound to its partner and status', async () => {
    for (let n = 0; n < 2; n++) await bring();
    const { next_cursor } = await page('trial', '&limit=1');
    expect(next_cursor).not.toBe('');
    const other = await buildPartner(test);
    const asOther = callAs(
      () => test,
      () => other.token,
    );
    const at = (status: string, cursor: string) => `/affiliates/licenses/${status}?${dates}&next_cursor=${cursor}`;
    const [text, signature] = next_cursor.split('.');
    const forged = Buffer.from(text, 'base64url').toString().replace('2026', '2027');
    for (const answer of [
      await asOther('GET', at('trial', next_cursor)),
      await call('GET', at('paid', next_cursor)),
      await call('GET', at('trial', `${next_cursor}x`)),
      await call('GET', at('trial', `${Buffer.from(forged).toString('base64url')}.${signature}`)),
      await call('GET', at('trial', 'nonsense')),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: {
            type: 'validation',
            details: [{ field: 'next_cursor', message: 'must be a cursor of this list' }],
          },
        },
      });
    test.clock.advance(32 * 24 * 3600 * 1000);
    expect((await call('GET', at('trial', next_cursor))).body.error.details[0].message).toBe('has expired');
    test.clock.advance(-32 * 24 * 3600 * 1000);
  });

  it('the summary counts licenses by status without blocked ones', async () => {
    const trial = await bring();
    await bring({ status: 'active' });
    await bring({ status: 'active', program: 'solution' });
    await bring({ status: 'expired' });
    await bring({ status: 'blocked' });
    const counts = async () =>
      Promise.all(['trial', 'paid', 'expired'].map(async (of) => (await page(of)).results.length));
    expect(await counts()).toEqual([1, 1, 1]);
    expect((await call('GET', '/affiliates/summary')).body).toEqual({ trials: 1, paid: 1, expired: 1 });
    await operator('PATCH', `/organizations/${trial.id}`, { status: 'blocked' });
    expect((await call('GET', '/affiliates/summary')).body).toEqual({ trials: 0, paid: 1, expired: 1 });
  });

  it.each([
    `/active?${dates}`,
    `/blocked?${dates}`,
    '/trial',
    '/trial?date_from=2026-01-01',
    '/trial?date_to=2026-01-01',
    '/trial?date_from=2026-03-02&date_to=2026-03-01',
    `/trial?${dates}&limit=0`,
    `/trial?${dates}&limit=16`,
    `/trial?${dates}&limit=x`,
    `/trial?${dates}&cursor=${'x'.repeat(1001)}`,
  ])('the request %s is rejected', async (path) => {
    expect(await call('GET', `/affiliates/licenses${path}`)).toMatchObject({
      status: 400,
      body: { error: { type: 'validation' } },
    });
  });
});

describe('referred partners', () => {
  it('referred partners are listed with their results', async () => {
    const referred = await buildReferredPartner(test, partner);
    await bring({}, referred);
    await bring({ cardAddedAt: day('2026-02-01') }, referred);
    const paid = await bring({ program: 'solution' }, referred);
    await bring({ status: 'expired', convertedAt: day('2026-02-01') }, referred);
    await bring({ status: 'blocked' }, referred);
    await operator('POST', `/organizations/${paid.id}/payments`, {
      ...{ external_id: paid.id, product: 'mainchat', amount_cents: 10_000, currency: 'USD' },
    });
    expect((await call('GET', '/affiliates/partners-referred')).body).toEqual({
      result: [
        {
          partner_id: String(referred.id),
          creation_timestamp: '2026-03-02 10:00:00',
          ...{ campaign_name: '', utm_campaign: '', utm_medium: '', utm_content: '', utm_term: '' },
          ...{ active_trials: 2, active_trials_cc_added: 1, total_trials: 5, active_paid: 1, total_paid: 2 },
          commission: 5,
        },
      ],
    });
    expect((await call('GET', '/partners-referred/metrics/commission?program=solution')).body.value).toBe(5);
    expect((await call('GET', '/affiliates/metrics/earnings?product=partner_program')).body.value).toBe(5);
    partner = referred;
    expect((await call('GET', '/affiliates/partners-referred')).body).toEqual({ result: [] });
  });
});
