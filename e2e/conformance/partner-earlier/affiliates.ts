import { describe, expect, it, vi } from 'vitest';
import { day, expectError, type Json, NUMBER, TEXT, TIME } from '../partner/index.ts';
import { kit } from './target.ts';

const { newPartner, newLicense, operator, pay } = kit;

const AT = '/affiliates/campaigns';

describe('campaigns', async () => {
  const partner = await newPartner();
  const stranger = await newPartner();
  const make = (body: Json) => partner.sendRequest('POST', AT, body);
  const made = (body: Json): Promise<Json> => partner.ok(201, 'POST', AT, body);

  it('POST /v2/partners/affiliates/campaigns without product creates a campaign', async () => {
    const campaign = await made({ name: 'Earlier one', trial_duration: 30, link: 'pricing/' });
    expect(campaign).toMatchObject({
      ...{ product: 'mainchat', name: 'Earlier one', slug: expect.stringMatching(/^pp_/), url: TEXT, short_url: TEXT },
      ...{ creation_timestamp: TIME, trial_duration: 30 },
    });
    const url = new URL(campaign.url);
    expect(url.pathname).toMatch(/\/pricing\/$/);
    expect([url.searchParams.get('a'), url.searchParams.get('utm_campaign')]).toEqual([partner.id, campaign.slug]);
    expect((await kit.visitor().open(campaign.short_url)).status).toBe(200);
    expect(await made('name=By+a+form&trial_duration=60')).toMatchObject({ name: 'By a form', trial_duration: 60 });
  });

  it('POST /v2/partners/affiliates/campaigns validates name, trial_duration, link and coupon_id', async () => {
    const good = { name: 'Good enough', trial_duration: 30 };
    for (const name of ['1234', 'x'.repeat(101), undefined]) expectError(await make({ ...good, name }), 400, 'name');
    for (const trial_duration of [29, 61, undefined, 'x'])
      expectError(await make({ ...good, trial_duration }), 400, 'trial_duration');
    for (const link of ['https://evil.test/', '//evil.test/', '../../x', 'a?b=c'])
      expectError(await make({ ...good, link }), 400, 'link');
    await made(good);
    expectError(await make(good), 409);
    const coupon = await operator.ok(201, 'POST', `/partners/${partner.id}/coupons`, {
      label: 'Ten off',
      percent_off: 10,
    });
    expect(await made({ ...good, name: 'With a coupon', coupon_id: coupon.id })).toMatchObject({ discount: 'Ten off' });
    const other = await operator.ok(201, 'POST', `/partners/${stranger.id}/coupons`, {
      label: 'Other',
      percent_off: 10,
    });
    for (const coupon_id of [other.id, 999_999_999])
      expectError(await make({ ...good, name: 'With another', coupon_id }), 403);
  });

  it('DELETE /v2/partners/affiliates/campaigns/<slug> returns 200, by numeric id 204', async () => {
    const [one, other] = [
      await made({ name: 'Away by slug', trial_duration: 30 }),
      await made({ name: 'Away by id', trial_duration: 30 }),
    ];
    expectError(await stranger.sendRequest('DELETE', `${AT}/${one.slug}`), 403);
    await partner.ok(200, 'DELETE', `${AT}/${one.slug}`);
    await partner.ok(204, 'DELETE', `${AT}/${other.id}`);
    expectError(await partner.sendRequest('DELETE', `${AT}/${one.slug}`), 403);
    expectError(await partner.sendRequest('DELETE', `${AT}/pp_no-such-campaign`), 403);
    expectError(await partner.sendRequest('DELETE', `${AT}/no-slug`), 400);
    const disabled = (await partner.ok(200, 'GET', `${AT}/disabled`)).result;
    expect(disabled).toHaveLength(2);
    for (const { name, slug, trial_duration, creation_timestamp } of [one, other])
      expect(disabled).toContainEqual({
        name,
        slug,
        trial_duration,
        discount: '',
        creation_timestamp,
        disabled_timestamp: TIME,
      });
  });

  it('GET /v2/partners/affiliates/campaigns/active lists active campaigns', async () => {
    const campaign = await made({ name: 'Still active', trial_duration: 45 });
    const { result } = await partner.ok(200, 'GET', `${AT}/active`);
    expect(result.find(({ slug }: Json) => slug === campaign.slug)).toMatchObject(campaign);
    expect(result.map(({ name }: Json) => name)).not.toContain('Away by slug');
  });
});

describe('licenses, performance and history', async () => {
  const partner = await newPartner();
  const referred = await newPartner({ referred_by: partner.id });
  const campaign = await partner.ok(201, 'POST', AT, { name: 'Letters', trial_duration: 30 });
  const trail = {
    utm_campaign: campaign.slug,
    utm_source: 'news',
    utm_medium: 'mail',
    utm_content: 'a',
    utm_term: 'b',
  };
  await kit.visitor().get(`${campaign.short_url}?utm_medium=mail&utm_content=a&utm_term=b`);
  await kit.visitor().get(`${campaign.short_url}?utm_medium=mail&utm_content=a&utm_term=b`);
  const license = await newLicense(partner, trail);
  const theirs = await newLicense(referred);
  await pay(license, 10_000, { plan: 'team', billing_cycle: 'annual', seats: 3 });
  await pay(theirs, 10_000);
  await vi.waitFor(
    async () => expect(await partner.ok(200, 'GET', '/affiliates/metrics/clicks')).toEqual({ value: 2 }),
    60_000,
  );

  it('GET /v2/partners/affiliates/licenses?shape=earlier lists licenses', async () => {
    const { tier1, tier2 } = await partner.ok(200, 'GET', '/affiliates/licenses?shape=earlier');
    const common = {
      ...{
        client_email: expect.stringMatching(/\*.*@/),
        creation_timestamp: TIME,
        end_timestamp: TIME,
        cc_added: true,
      },
      ...{ chat_installed: false, conversations: 0, blocked: false, paid: true, seats: NUMBER, plan: TEXT },
    };
    expect(tier1).toEqual([
      {
        ...common,
        billing_cycle: 'annual',
        seats: 3,
        plan: 'team',
        total_commission: 20,
        commission_percent: 20,
        ...trail,
      },
    ]);
    expect(tier2).toEqual([
      {
        ...common,
        billing_cycle: expect.any(String),
        total_commission: 5,
        commission_percent: 5,
        utm_source: '',
        utm_medium: '',
        utm_content: '',
        utm_term: '',
        utm_campaign: expect.any(String),
      },
    ]);
    expect(JSON.stringify([tier1, tier2])).not.toContain(license.login);
    const at = (query: string) => partner.sendRequest('GET', `/affiliates/licenses?shape=earlier&${query}`);
    expect((await at(`date_to=${day(-1)}`)).body).toEqual({ tier1: [], tier2: [] });
    expect((await at(`date_from=${day()}&date_to=${day()}T23:59:59Z`)).body).toEqual({ tier1, tier2 });
    expectError(await at('date_from=x'), 400, 'date_from');
    expect(await partner.ok(200, 'GET', '/affiliates/licenses')).toHaveProperty('result');
  });

  it('GET /v2/partners/affiliates/performance?shape=earlier returns performance by campaign', async () => {
    const { result } = await partner.ok(200, 'GET', '/affiliates/performance?shape=earlier');
    const row = result.find(({ medium }: Json) => medium === 'mail');
    expect(row).toEqual({
      ...{ campaign: TEXT, medium: 'mail', content: 'a', term: 'b', clicks: 2, trials: 1, trial_percent: 50 },
      ...{ paid: 1, paid_percent: 100, commission: 20, chat_installations: 0, aha: 0 },
    });
    expect((await partner.ok(200, 'GET', `/affiliates/performance?shape=earlier&date_to=${day(-1)}`)).result).toEqual(
      [],
    );
    expectError(
      await partner.sendRequest('GET', `/affiliates/performance?shape=earlier&date_from=${day()}&date_to=${day(-1)}`),
      400,
    );
    const current = (await partner.ok(200, 'GET', '/affiliates/performance')).result;
    expect(current.find(({ utm_medium }: Json) => utm_medium === 'mail')).toMatchObject({
      clicks: 2,
      trials: 1,
      paid: 1,
      commission: 20,
    });
  });

  it('GET /v2/partners/affiliates/history returns the last 12 months', async () => {
    const { result } = await partner.ok(200, 'GET', '/affiliates/history');
    expect(result).toHaveLength(12);
    const months = result.map(({ date }: Json) => date);
    expect(months).toContain(day().slice(0, 7));
    expect(new Set(months).size).toBe(12);
    expect(result.find(({ date }: Json) => date === day().slice(0, 7))).toEqual({
      date: day().slice(0, 7),
      trials: 1,
      paid: 1,
      commission: 25,
    });
    for (const row of result.filter(({ date }: Json) => date !== day().slice(0, 7)))
      expect(row).toMatchObject({ trials: 0, paid: 0, commission: 0 });
  });
});
