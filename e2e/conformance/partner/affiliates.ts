import { describe, expect, it } from 'vitest';
import { day, expectError, type Json, NUMBER, newName, RECENTLY, TEXT, TIME } from './index.ts';
import { kit } from './target.ts';

const { newPartner, newLicense, operator, pay } = kit;

const utm = { utm_medium: 'mail', utm_content: 'button', utm_term: 'chat & "more"' };
const noMarks = { utm_medium: '', utm_content: '', utm_term: '' };

const partner = await newPartner();
const stranger = await newPartner();
const campaign = await partner.ok(201, 'POST', '/affiliates/campaigns?product=mainchat', {
  name: 'Letters',
  trial_duration: 30,
});
const attribution = { utm_campaign: campaign.slug, ...utm };
const paid = await newLicense(partner, attribution);
const expired = await newLicense(partner, attribution);
await newLicense(partner, { product: 'helpdesk' });
await newLicense(stranger);
await newLicense(undefined);
await pay(paid, 12_345);
await operator.ok(200, 'PATCH', `/organizations/${expired.id}`, { status: 'expired' });

describe('GET /v2/partners/affiliates/licenses', () => {
  const list = async (query = ''): Promise<Json[]> =>
    (await partner.ok(200, 'GET', `/affiliates/licenses${query}`)).result;

  it('GET /v2/partners/affiliates/licenses lists the referred licenses with their status', async () => {
    const licenses = await list();
    const common = { creation_timestamp: TIME, ql: false, cc_added: false, blocked: false, commission_percent: 20 };
    const byCampaign = { ...common, product: 'mainchat', campaign_name: 'Letters', ...attribution };
    expect(licenses).toHaveLength(3);
    expect(licenses).toEqual(
      expect.arrayContaining([
        { ...byCampaign, active: true, paid: true, cc_added: true, earnings: 24.69, end_timestamp: TIME },
        { ...byCampaign, active: false, paid: false, earnings: 0, end_timestamp: expect.any(String) },
        {
          ...{ ...common, product: 'helpdesk', active: true, paid: false, earnings: 0, end_timestamp: TIME },
          ...{ campaign_name: TEXT, utm_campaign: TEXT, ...noMarks },
        },
      ]),
    );
  });

  it('GET /v2/partners/affiliates/licenses shows the longer trial of a campaign', async () => {
    const license = await newLicense(partner, { ...attribution, utm_medium: 'longer' });
    const { trial_ends_at, created_at } = await operator.ok(200, 'GET', `/organizations/${license.id}`);
    expect(Math.round((Date.parse(trial_ends_at) - Date.parse(created_at)) / 86_400_000)).toBe(30);
    await operator.ok(200, 'PATCH', `/organizations/${license.id}`, { status: 'blocked' });
    const shown = (await list()).find(({ utm_medium }) => utm_medium === 'longer');
    expect(shown).toMatchObject({ blocked: true, active: false });
  });

  it('GET /v2/partners/affiliates/licenses filters by creation in both date formats', async () => {
    const all = await list();
    expect(await list(`?date_from=${day()}&date_to=${day()}`)).toEqual(all);
    expect(await list(`?date_from=${day(-1)}T00:00:00Z`)).toEqual(all);
    expect(await list(`?date_to=${day(-1)}`)).toEqual([]);
    expect(await list(`?date_from=${day(1)}`)).toEqual([]);
    for (const query of [
      'date_from=x',
      'date_to=2026-13-01',
      `date_from=${day(1)}&date_to=${day()}`,
      'date_from=2026-02-29',
    ])
      expectError(await partner.sendRequest('GET', `/affiliates/licenses?${query}`), 400);
  });
});

describe('GET /v2/partners/affiliates/licenses/<status>', () => {
  const list = (status: string, query = RECENTLY) => partner.ok(200, 'GET', `/affiliates/licenses/${status}?${query}`);
  const item = {
    campaign: TEXT,
    commission: 20,
    creation_timestamp: TIME,
    conversion_timestamp: '',
    expiration_timestamp: expect.any(String),
  };

  it('lists trial, paid and expired licenses', async () => {
    expect(await list('trial')).toMatchObject({
      results: [{ ...item, status: 'trial', product: 'helpdesk', earnings: 0 }],
    });
    expect(await list('paid')).toEqual({
      ...{
        next_cursor: '',
        results: [
          {
            ...item,
            status: 'paid',
            product: 'mainchat',
            campaign: 'Letters',
            earnings: 24.69,
            conversion_timestamp: TIME,
            expiration_timestamp: TIME,
          },
        ],
      },
    });
    expect(await list('expired')).toMatchObject({
      results: [{ ...item, status: 'expired', campaign: 'Letters' }],
      next_cursor: '',
    });
  });

  it('rejects an unknown status and missing or invalid dates', async () => {
    expectError(await partner.sendRequest('GET', `/affiliates/licenses/blocked?${RECENTLY}`), 400, 'status');
    expectError(await partner.sendRequest('GET', '/affiliates/licenses/trial'), 400, 'date_from');
    expectError(await partner.sendRequest('GET', `/affiliates/licenses/trial?date_from=${day()}`), 400, 'date_to');
    expectError(
      await partner.sendRequest('GET', `/affiliates/licenses/trial?date_from=${day()}&date_to=${day(-1)}`),
      400,
    );
    expect((await list('trial', `date_from=${day(-9)}&date_to=${day(-8)}`)).results).toEqual([]);
  });

  it('accepts a limit from 1 to 15 (default 15) and continues at the cursor', async () => {
    const many = await newPartner();
    for (let at = 0; at < 4; at++)
      await Promise.all(Array.from({ length: 4 }, (_, one) => newLicense(many, { utm_term: `${at}-${one}` })));
    const page = (query: string) => many.ok(200, 'GET', `/affiliates/licenses/trial?${RECENTLY}&${query}`);
    const first = await page('');
    expect(first.results).toHaveLength(15);
    expect(first.next_cursor).not.toBe('');
    const rest = await page(`next_cursor=${encodeURIComponent(first.next_cursor)}`);
    expect(await page(`cursor=${encodeURIComponent(first.next_cursor)}`)).toEqual(rest);
    expect([rest.results.length, rest.next_cursor]).toEqual([1, '']);
    const found: Json[] = [];
    for (let cursor = '', more = true; more; more = cursor !== '') {
      const { results, next_cursor } = await page(`limit=5${cursor && `&next_cursor=${encodeURIComponent(cursor)}`}`);
      found.push(...results);
      cursor = next_cursor;
    }
    expect(found).toEqual([...first.results, ...rest.results]);
    expect((await page('limit=1')).results).toEqual([found[0]]);
    for (const wrong of ['0', '16', '-1', '1.5', 'x', '1e9', 'NaN', ''])
      expectError(await many.sendRequest('GET', `/affiliates/licenses/trial?${RECENTLY}&limit=${wrong}`), 400, 'limit');
  });

  it('rejects a modified cursor and a cursor of another partner', async () => {
    const [one, other] = [await newPartner(), await newPartner()];
    for (const who of [one, one, other, other]) await newLicense(who);
    const path = `/affiliates/licenses/trial?${RECENTLY}&limit=1`;
    const { next_cursor: cursor } = await one.ok(200, 'GET', path);
    await one.ok(200, 'GET', `${path}&next_cursor=${encodeURIComponent(cursor)}`);
    for (const wrong of ['x', `${cursor}x`, cursor.slice(0, -2), `A${cursor.slice(1)}`])
      expectError(await one.sendRequest('GET', `${path}&next_cursor=${encodeURIComponent(wrong)}`), 400);
    expectError(await other.sendRequest('GET', `${path}&next_cursor=${encodeURIComponent(cursor)}`), 400);
  });
});

describe('GET /v2/partners/affiliates/performance', () => {
  it('returns clicks, trials, qualified leads, paid licenses and commission by campaign and UTM parameters', async () => {
    const seller = await newPartner();
    const { slug, short_url } = await seller.ok(201, 'POST', '/affiliates/campaigns?product=mainchat', {
      name: 'Banners',
    });
    await kit.visitor().open(`${short_url}?utm_medium=web`);
    await kit.visitor().open(`${short_url}?utm_medium=web`);
    const license = await newLicense(seller, { utm_campaign: slug, utm_medium: 'web' });
    await newLicense(seller, { utm_campaign: slug, utm_medium: 'print' });
    await pay(license, 500);
    await expect.poll(() => seller.ok(200, 'GET', '/affiliates/metrics/clicks')).toEqual({ value: 2 });
    const { result } = await seller.ok(200, 'GET', '/affiliates/performance');
    const row = {
      product: 'mainchat',
      campaign_name: 'Banners',
      utm_campaign: slug,
      utm_content: '',
      utm_term: '',
      qls: 0,
      partners_referred: 0,
    };
    expect(result).toHaveLength(2);
    expect(result).toEqual(
      expect.arrayContaining([
        { ...row, utm_medium: 'web', clicks: 2, trials: 1, paid: 1, commission: 1 },
        { ...row, utm_medium: 'print', clicks: 0, trials: 1, paid: 0, commission: 0 },
      ]),
    );
    const read = async (query: string) => (await seller.ok(200, 'GET', `/affiliates/performance?${query}`)).result;
    expect(await read(`date_from=${day()}&date_to=${day()}T23:59:59Z`)).toEqual(result);
    expect(await read(`date_to=${day(-1)}`)).toEqual([]);
    for (const query of ['date_from=x', `date_from=${day()}&date_to=${day(-2)}`])
      expectError(await seller.sendRequest('GET', `/affiliates/performance?${query}`), 400);
  });
});

describe('GET /v2/partners/affiliates/partners-referred', () => {
  it('lists the referred partners and the commission earned through them', async () => {
    const links = await partner.ok(200, 'GET', '/affiliates/links');
    const slug = new URL(links.partner_program.url).searchParams.get('utm_campaign')!;
    const login = `${newName()}@far.test`;
    const form = { email: login, password: 'a long password', first_name: 'Rita', last_name: 'Referred' };
    const sent = await fetch(`${kit.target.url}/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...form, a: partner.id, utm_campaign: slug, ...utm }),
    });
    expect(sent.status).toBe(201);
    const { partner_id: id, token } = (await sent.json()) as Json;
    const referred = kit.asPartner({ id, login }, token);
    const license = await newLicense(referred);
    await newLicense(referred);
    await pay(license, 1000);
    const { result } = await partner.ok(200, 'GET', '/affiliates/partners-referred');
    expect(result).toEqual([
      {
        ...{ partner_id: id, creation_timestamp: TIME, campaign_name: TEXT, utm_campaign: slug, ...utm },
        ...{
          active_trials: 1,
          active_trials_cc_added: 0,
          total_trials: 2,
          active_paid: 1,
          total_paid: 1,
          commission: 0.5,
        },
      },
    ]);
    expect(await stranger.ok(200, 'GET', '/affiliates/partners-referred')).toEqual({ result: [] });
    const { result: rows } = await partner.ok(200, 'GET', '/affiliates/performance');
    const referring = rows.filter((row: Json) => row.product === 'partner_program');
    expect(referring).toMatchObject([{ partners_referred: 1, commission: 0.5, clicks: NUMBER, ...utm }]);
  });
});

describe('GET /v2/partners/affiliates/summary', () => {
  it('counts the licenses on trial, paid and expired', async () => {
    const newcomer = await newPartner();
    expect(await newcomer.ok(200, 'GET', '/affiliates/summary')).toEqual({ trials: 0, paid: 0, expired: 0 });
    const [one] = await Promise.all([newLicense(newcomer), newLicense(newcomer)]);
    await pay(one, 100);
    expect(await newcomer.ok(200, 'GET', '/affiliates/summary')).toEqual({ trials: 1, paid: 1, expired: 0 });
    await operator.ok(200, 'PATCH', `/organizations/${one.id}`, { status: 'expired' });
    expect(await newcomer.ok(200, 'GET', '/affiliates/summary')).toEqual({ trials: 1, paid: 0, expired: 1 });
  });
});
