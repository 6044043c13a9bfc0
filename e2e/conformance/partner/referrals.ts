import { describe, expect, it } from 'vitest';
import { expectError, type Json, newAddress, newName, PASSWORD, type Partner } from './index.ts';
import { kit } from './target.ts';
import { createVisitor, findLink } from './visitor.ts';

const { newPartner, newLicense, operator, pay, target, visitor } = kit;

const clicksOf = async (partner: Partner): Promise<number> =>
  (await partner.ok(200, 'GET', '/affiliates/metrics/clicks')).value;
const newCampaign = (partner: Partner, name: string, product = 'mainchat'): Promise<Json> =>
  partner.ok(201, 'POST', `/affiliates/campaigns?product=${product}`, { name });
const licensesOf = async (partner: Partner): Promise<Json[]> =>
  (await partner.ok(200, 'GET', '/affiliates/licenses')).result;

describe('clicks: GET /go/<code>', () => {
  it('a short link redirects with 302 and a first-party cookie, and an unknown code returns 404', async () => {
    const partner = await newPartner();
    const { short_url } = await newCampaign(partner, 'Followed');
    const answer = await visitor().get(short_url);
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly/i);
    expect((await visitor().get('/go/nosuchcode')).status).toBe(404);
  });

  it('a click is a GET request by anything but a known bot, counted once per visitor, link and hour', async () => {
    const partner = await newPartner();
    const { short_url } = await newCampaign(partner, 'Counted');
    const other = await newCampaign(partner, 'Also counted');
    const bot = createVisitor(target.url, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)');
    const regular = visitor();
    await regular.head(short_url);
    await regular.get(short_url, { 'sec-purpose': 'prefetch' });
    await bot.get(short_url);
    for (let again = 0; again < 3; again++) expect((await regular.get(short_url)).status).toBe(302);
    await visitor().get(short_url);
    await regular.get(other.short_url);
    await expect.poll(() => clicksOf(partner)).toBe(3);
  });

  it('links of a disabled campaign still redirect but count no clicks', async () => {
    const partner = await newPartner();
    const { id, short_url } = await newCampaign(partner, 'Disabled');
    const marker = await newCampaign(partner, 'The marker');
    await partner.ok(204, 'DELETE', `/affiliates/campaigns/${id}`);
    expect((await visitor().get(short_url)).status).toBe(302);
    await visitor().get(marker.short_url);
    await expect.poll(() => clicksOf(partner)).toBe(1);
  });
});

describe('sign-up', () => {
  const form = () => ({ email: newAddress('owner'), name: 'Olga', password: PASSWORD, organization: 'Shop' });
  const post = async (body: object | URLSearchParams, headers: Record<string, string> = {}) => {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(`${target.url}/signup`, {
      method: 'POST',
      headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
      body: isForm ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };

  it('POST /signup returns 201 {organization_id, license_id, login} for JSON and a form', async () => {
    for (const input of [form(), new URLSearchParams(form())]) {
      const email = input instanceof URLSearchParams ? input.get('email') : input.email;
      const { status, body } = await post(input);
      expect([status, body]).toEqual([
        201,
        { organization_id: expect.any(String), license_id: expect.any(Number), login: email },
      ]);
      expect((await post(input)).status).toBe(201);
    }
  });

  it.each(['email', 'name', 'password', 'organization'])('POST /signup requires %s', async (name) => {
    expectError(await post({ ...form(), [name]: undefined }), 400, name);
    expectError(await post({ ...form(), [name]: '' }), 400, name);
  });

  it('the cookie of the last click determines the referrer', async () => {
    const [one, other] = [await newPartner(), await newPartner()];
    const [first, last] = [await newCampaign(one, 'First click'), await newCampaign(other, 'Last click')];
    const person = visitor();
    await person.get(first.short_url);
    await person.get(`${last.short_url}?utm_medium=post`);
    const { status } = await post(form(), { cookie: person.cookies() });
    expect(status).toBe(201);
    expect(await licensesOf(one)).toEqual([]);
    expect(await licensesOf(other)).toMatchObject([
      { campaign_name: 'Last click', utm_medium: 'post', utm_campaign: last.slug },
    ]);
  });

  it('the landing page passes the referral to the sign-up form', async () => {
    const partner = await newPartner();
    const { short_url, slug } = await newCampaign(partner, 'By the page');
    const person = visitor();
    const landing = await person.open(`${short_url}?utm_content=top`);
    expect(landing.status).toBe(200);
    const page = await person.open(findLink(landing.body, '/signup'));
    const { email, name, password, organization } = form();
    const done = await person.submit(page, { email, name, password, organization });
    expect(done.status).toBeLessThan(300);
    expect(await licensesOf(partner)).toMatchObject([
      { campaign_name: 'By the page', utm_campaign: slug, utm_content: 'top' },
    ]);
    await expect.poll(() => clicksOf(partner)).toBe(1);
  });

  it('the owner of a license is never its referrer, whether by login, contact or payout address', async () => {
    const contact = newAddress('contact');
    const partner = await newPartner({ contact_email: contact });
    for (const email of [partner.login, partner.login.toUpperCase(), contact]) {
      const { status } = await post({ ...form(), email, a: partner.id });
      expect(status).toBe(201);
    }
    expect(await licensesOf(partner)).toEqual([]);
    await post({ ...form(), a: '999999999' });
    await post({ ...form(), a: "' or 1=1" });
  });

  it('a blocked partner gets no referrals and no commission', async () => {
    const partner = await newPartner();
    const before = await newLicense(partner);
    await operator.ok(200, 'PATCH', `/partners/${partner.id}`, { blocked: true });
    await newLicense(partner);
    await pay(before, 10_000);
    expect(await licensesOf(partner)).toHaveLength(1);
    expect(await partner.ok(200, 'GET', '/balance')).toMatchObject({ available: 0, total: '0.00' });
  });

  it('a license gets the coupon and the trial duration of the campaign', async () => {
    const partner = await newPartner();
    const coupon = await operator.ok(201, 'POST', `/partners/${partner.id}/coupons`, {
      label: 'Half',
      percent_off: 50,
    });
    const input = { name: 'Half price', trial_duration: 60, coupon_id: coupon.id };
    const { short_url } = await partner.ok(201, 'POST', '/affiliates/campaigns?product=mainchat', input);
    const landing = await visitor().open(short_url);
    expect(landing.body).toContain('60-day');
    expect(landing.body).toContain('Half');
  });
});

describe('the operator', () => {
  it('operator requests without the operator token return 401', async () => {
    for (const headers of [{ authorization: '' }, { authorization: 'Bearer wrong' }] as const)
      for (const path of ['/partners', '/organizations', '/withdrawals'])
        expectError(await operator.sendRequest('GET', path, undefined, headers), 401);
  });

  it('POST /organizations/<id>/payments is idempotent: repeats return 200 and pay commission once, even concurrently', async () => {
    const partner = await newPartner();
    const license = await newLicense(partner);
    const body = {
      external_id: newName(),
      product: 'mainchat',
      amount_cents: 9999,
      currency: 'USD',
      plan: 'team',
      billing_cycle: 'annual',
      seats: 3,
    };
    const path = `/organizations/${license.id}/payments`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => operator.sendRequest('POST', path, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
    expect((await partner.ok(200, 'GET', '/balance')).available).toBe(20);
    expectError(await operator.sendRequest('POST', path, { ...body, amount_cents: 1 }), 409);
    expect(await operator.ok(200, 'GET', `/organizations/${license.id}`)).toMatchObject({
      status: 'active',
      plan: 'team',
    });
    expectError(
      await operator.sendRequest('POST', path, { ...body, external_id: newName(), currency: 'EUR' }),
      400,
      'currency',
    );
    for (const [name, value] of [
      ['amount_cents', -1],
      ['amount_cents', 1.5],
      ['product', 'phone'],
      ['external_id', ''],
    ] as const)
      expectError(
        await operator.sendRequest('POST', path, { ...body, external_id: newName(), [name]: value }),
        400,
        name,
      );
    expectError(
      await operator.sendRequest('POST', `/organizations/${crypto.randomUUID()}/payments`, {
        ...body,
        external_id: newName(),
      }),
      404,
    );
  });

  it('POST /payments/<external_id>/refunds before the payment is applied when the payment arrives', async () => {
    const partner = await newPartner();
    const license = await newLicense(partner);
    const external_id = newName();
    const refund = { external_id: newName(), amount_cents: 500 };
    expect((await operator.sendRequest('POST', `/payments/${external_id}/refunds`, refund)).status).toBe(202);
    await pay(license, 2000, { external_id });
    expect((await partner.ok(200, 'GET', '/balance')).available).toBe(3);
  });

  it('PATCH /partners/<id> sets commission and discount percentages and solution_status', async () => {
    const partner = await newPartner();
    const license = await newLicense(partner);
    const path = `/partners/${partner.id}`;
    await operator.ok(200, 'PATCH', path, {
      commission_percent: 30,
      discount_percent: 25,
      solution_status: 'approved',
    });
    await pay(license, 1000);
    expect((await partner.ok(200, 'GET', '/balance')).available).toBe(3);
    expect(await partner.ok(200, 'GET', '')).toMatchObject({ solution_status: 'approved' });
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toMatchObject({
      ...{ affiliate: { current_commission: { percent: 30 } }, reseller: { current_discount: { percent: 25 } } },
    });
    for (const body of [{ commission_percent: 101 }, { commission_percent: -1 }, { blocked: 'perhaps' }])
      expectError(await operator.sendRequest('PATCH', path, body), 400);
    expectError(await operator.sendRequest('PATCH', '/partners/999999999', { blocked: true }), 404);
  });
});
