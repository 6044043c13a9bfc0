import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';
import { findMilestones } from '#server/storage/platform-referrals.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildReferrer, openVisitor, type TestReferrer } from '../../../../testing/builders/click-links.ts';

const DAY_MS = 24 * 3600 * 1000;

const test = useTestApp();
let partner: TestReferrer;
beforeEach(async () => {
  partner = await buildReferrer(test);
});

type Visitor = ReturnType<typeof openVisitor>;

const person = (input: object = {}) => ({
  email: `person-${randomUUID()}@shop.example`,
  name: 'Nora New',
  password: 'a long password',
  organization: 'Corner shop',
  ...input,
});

const signUp = async (input: object = {}, visitor: Visitor = openVisitor(test)) => {
  const response = await visitor.send({ url: '/signup', method: 'POST', payload: person(input) });
  return { status: response.statusCode, body: response.json() };
};

/** The partner's referral of a license, if there is one. */
const referralOf = async ({ body }: Awaited<ReturnType<typeof signUp>>, of = partner) => {
  const row = await of.scope
    .from('referredLicenses')
    .where('organizationId', '=', body.organization_id)
    .selectAll()
    .executeTakeFirst();
  return row;
};

const organizationOf = ({ body }: Awaited<ReturnType<typeof signUp>>) =>
  test.context.database.kysely
    .selectFrom('organizations')
    .where('id', '=', body.organization_id)
    .selectAll()
    .executeTakeFirstOrThrow();

const follow = async (of: TestReferrer = partner, product: 'mainchat' | 'chatbot' | 'partner_program' = 'mainchat') => {
  const visitor = openVisitor(test);
  await visitor.follow(await of.linkOf(product));
  return visitor;
};

describe('POST /signup', () => {
  it('starts a trial whose owner can sign in', async () => {
    const input = person({ email: `Olga-${randomUUID()}@Shop.Example` });
    const answer = await signUp(input);
    expect(answer).toEqual({
      status: 201,
      body: {
        organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        license_id: expect.any(Number),
        login: input.email.toLowerCase(),
      },
    });
    const organization = await organizationOf(answer);
    expect(organization).toMatchObject({ name: 'Corner shop', status: 'trial', product: 'mainchat' });
    expect(organization.trialEndsAt).toEqual(new Date(test.clock.now().getTime() + 14 * DAY_MS));
    const session = await test.app.inject({
      method: 'POST',
      url: '/signin',
      payload: { login: input.email, password: input.password },
    });
    expect(session.json()).toMatchObject({ organization_id: answer.body.organization_id });
  });

  it('accepts form-encoded bodies', async () => {
    const response = await openVisitor(test).send({
      url: '/signup',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(person({ product: 'helpdesk' })).toString(),
    });
    expect(response.statusCode).toBe(201);
    expect(response.headers['content-type']).toContain('application/json');
  });

  it('does not reveal that an email is already registered', async () => {
    const input = person();
    const first = await Promise.all([signUp(input), signUp(input)]);
    expect(first.map(({ status }) => status)).toEqual([201, 201]);
    expect(await signUp({ ...input, email: input.email.toUpperCase() })).toMatchObject({
      status: 201,
      body: { login: input.email.toLowerCase() },
    });
  });

  it('sends an email without any of the submitted text', async () => {
    const input = person({ name: 'Visit evil.example', organization: 'Cheap pills at evil.example' });
    await signUp(input);
    await test.runDueJobs();
    const mails = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === input.email);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain('evil.example');
  });

  it.each<[string, object]>([
    ['no email', { email: undefined }],
    ['an invalid email', { email: 'nora' }],
    ['a line break in the email', { email: 'a@b.example\r\nBcc: c@d.example' }],
    ['no name', { name: ' ' }],
    ['a short password', { password: '12345' }],
    ['no organization', { organization: '' }],
    ['an unknown product', { product: 'partner_program' }],
  ])('rejects %s', async (_, input) =>
    expect(await signUp(input)).toMatchObject({ status: 400, body: { error: { type: 'validation' } } }),
  );

  it('rejects forms submitted from other sites', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://parley.test' },
    ]) {
      const response = await openVisitor(test).send({ url: '/signup', method: 'POST', headers, payload: person() });
      expect(response.statusCode).toBe(403);
    }
    const own = { origin: 'http://parley.test', 'sec-fetch-site': 'same-origin' };
    const response = await openVisitor(test).send({ url: '/signup', method: 'POST', headers: own, payload: person() });
    expect(response.statusCode).toBe(201);
  });

  it('limits the number of accounts per network', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const visitor = openVisitor(limited, { ip: '198.51.100.7' });
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) {
      const payload = person({ email: 'taken@shop.example' });
      statuses.push((await visitor.send({ url: '/signup', method: 'POST', payload })).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
  });
});

describe('license attribution', () => {
  it('uses the partner whose link was clicked last', async () => {
    const visitor = await follow(await buildReferrer(test));
    test.clock.advance(1000);
    const link = await partner.linkOf('chatbot');
    await visitor.send({ url: `/go/${link.code}?utm_medium=mail&utm_content=c&utm_term=t` });
    const answer = await signUp({ product: 'chatbot' }, visitor);
    const [click] = await partner.clicks();
    expect(await referralOf(answer)).toMatchObject({
      ...{ program: 'affiliate', product: 'chatbot', campaignId: link.id, clickId: click!.id, status: 'trial' },
      ...{ utmCampaign: link.slug, utmMedium: 'mail', utmContent: 'c', utmTerm: 't', utmSource: '' },
      endsAt: (await organizationOf(answer)).trialEndsAt,
    });
  });

  it('is empty without a link, with an unknown one, or after the attribution window', async () => {
    const visitor = await follow();
    await test.context.services.partners.clicks.flush();
    test.clock.advance(120 * DAY_MS);
    expect(await referralOf(await signUp({}, visitor))).toBeUndefined();
    expect(await referralOf(await signUp())).toBeUndefined();
    const forged = openVisitor(test);
    const response = await forged.send({
      url: '/signup',
      method: 'POST',
      headers: { cookie: `parley_visitor=${newVisitorId(test.clock.now())}` },
      payload: person(),
    });
    expect(response.statusCode).toBe(201);
    expect(await referralOf({ status: 201, body: response.json() })).toBeUndefined();
  });

  it('also uses a click that did not count because of a shared fingerprint', async () => {
    await follow();
    const neighbor = await follow();
    expect(await partner.reasons()).toEqual(['repeat']);
    const { id, slug } = await partner.linkOf('mainchat');
    expect(await referralOf(await signUp({}, neighbor))).toMatchObject({
      ...{ campaignId: id, clickId: null, utmCampaign: slug },
    });
  });

  it('uses the last click even when it was repeated within an hour', async () => {
    const other = await buildReferrer(test);
    const visitor = await follow();
    test.clock.advance(1000);
    await visitor.follow(await other.linkOf('mainchat'));
    test.clock.advance(1000);
    await visitor.follow(await partner.linkOf('mainchat'));
    const [click] = await partner.clicks();
    expect(await referralOf(await signUp({}, visitor))).toMatchObject({ clickId: click!.id });
  });

  it('is valid for 120 days', async () => {
    const visitor = await follow();
    await test.context.services.partners.clicks.flush();
    test.clock.advance(120 * DAY_MS - 1);
    expect(await referralOf(await signUp({}, visitor))).toBeDefined();
  });

  it('prefers link parameters over clicks', async () => {
    const visitor = await follow();
    const other = await buildReferrer(test);
    const link = await other.addLink();
    const marks = { a: String(other.id), utm_campaign: link.slug, utm_medium: 'm', utm_source: 's' };
    const answer = await signUp(marks, visitor);
    expect(await referralOf(answer)).toBeUndefined();
    expect(await referralOf(answer, other)).toMatchObject({
      ...{ campaignId: link.id, clickId: null, utmCampaign: link.slug, utmMedium: 'm', utmSource: 's' },
    });
  });

  it('references the click when the named link was also clicked', async () => {
    const visitor = await follow();
    const { slug } = await partner.linkOf('mainchat');
    const answer = await signUp({ a: partner.id, utm_campaign: slug }, visitor);
    const [click] = await partner.clicks();
    expect(await referralOf(answer)).toMatchObject({ clickId: click!.id });
  });

  it('uses the default campaign of the product for a missing or unknown campaign', async () => {
    const { id } = await partner.linkOf('mainchat');
    for (const utm_campaign of [undefined, '', 'pp_nothing', "' or 1=1"]) {
      const answer = await signUp({ a: String(partner.id), utm_campaign });
      expect(await referralOf(answer)).toMatchObject({ campaignId: id });
    }
    const answer = await signUp({ a: String(partner.id), product: 'helpdesk' });
    expect(await referralOf(answer)).toMatchObject({ campaignId: null, product: 'helpdesk' });
  });

  it('ignores campaigns of other partners', async () => {
    const foreign = await (await buildReferrer(test)).addLink({ slug: 'pp_foreign' });
    const { id } = await partner.linkOf('mainchat');
    const answer = await signUp({ a: String(partner.id), utm_campaign: foreign.slug });
    expect(await referralOf(answer)).toMatchObject({ campaignId: id });
  });

  it.each(['0', '-1', 'x', '1e3', '999999999999999', '1'.repeat(300), "1' or '1'='1", ' '])(
    'falls back to the last click for the partner id %s',
    async (a) => {
      const visitor = await follow();
      expect(await referralOf(await signUp({ a }, visitor))).toBeDefined();
    },
  );

  it('is empty when the partner is blocked, even with other clicks', async () => {
    const visitor = await follow(await buildReferrer(test));
    test.clock.advance(1000);
    await visitor.follow(await partner.linkOf('mainchat'));
    await partner.clicks();
    await partner.block();
    for (const marks of [{}, { a: String(partner.id) }]) {
      const answer = await signUp(marks, visitor);
      expect(answer.status).toBe(201);
      const anybody = await findMilestones(test.context.database, [answer.body.organization_id]);
      expect(anybody).toEqual([]);
    }
  });

  it('uses clicks from before the campaign was disabled, but none after', async () => {
    const before = await follow();
    await partner.clicks();
    test.clock.advance(1000);
    const link = await partner.linkOf('mainchat');
    await partner.disable(link);
    const after = openVisitor(test, { ip: '192.0.2.50' });
    await after.follow(link);
    expect(await referralOf(await signUp({}, before))).toMatchObject({ campaignId: link.id });
    expect(await referralOf(await signUp({}, after))).toBeUndefined();
    const named = { a: String(partner.id), utm_campaign: link.slug };
    expect(await referralOf(await signUp(named))).toBeUndefined();
    expect(await referralOf(await signUp(named, before))).toBeDefined();
  });

  it('ignores self-referrals', async () => {
    const contact = `contact-${randomUUID()}@partner.test`;
    const payout = `payout-${randomUUID()}@partner.test`;
    await partner.scope.db
      .updateTable('partners')
      .where('id', '=', partner.id)
      .set({ contactEmail: contact })
      .execute();
    await partner.scope
      .insert('partnerBilling', {
        ...{ type: 'individual', company: 'P', address: 'S', city: 'C', country: 'PL', payoutAccount: payout },
        updatedAt: test.clock.now(),
      })
      .execute();
    const plus = (email: string, tag: string) => email.replace('@', `+${tag}@`);
    for (const email of [
      partner.login,
      partner.login.toUpperCase(),
      plus(partner.login, 'shop'),
      plus(contact, 'x'),
      payout,
    ])
      for (const visitor of [await follow(), openVisitor(test)]) {
        const answer = await signUp({ email: plus(email, randomUUID().slice(0, 8)), a: String(partner.id) }, visitor);
        expect(answer.status).toBe(201);
        expect(await referralOf(answer)).toBeUndefined();
      }
    expect(await referralOf(await signUp({ a: String(partner.id), email: `x${partner.login}` }))).toBeDefined();
  });
});

describe('campaign offers', () => {
  const buildOffer = async (active = true) => {
    const { id: couponId } = await partner.scope
      .insert('coupons', { label: '20 % off', percentOff: 20, active, createdAt: test.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { link: await partner.addLink({ trialDays: 45, couponId }), couponId };
  };

  it('apply a longer trial and a coupon to the license', async () => {
    const { link, couponId } = await buildOffer();
    const visitor = openVisitor(test);
    await visitor.follow(link);
    const answer = await signUp({}, visitor);
    const { trialEndsAt } = await organizationOf(answer);
    expect(trialEndsAt).toEqual(new Date(test.clock.now().getTime() + 45 * DAY_MS));
    expect(await referralOf(answer)).toMatchObject({ couponId, endsAt: trialEndsAt });
  });

  it('apply only to the product of the campaign', async () => {
    const { link } = await buildOffer();
    const answer = await signUp({ a: String(partner.id), utm_campaign: link.slug, product: 'chatbot' });
    expect((await organizationOf(answer)).trialEndsAt).toEqual(new Date(test.clock.now().getTime() + 14 * DAY_MS));
    expect(await referralOf(answer)).toMatchObject({ campaignId: link.id, couponId: null, product: 'chatbot' });
  });

  it('skip expired coupons', async () => {
    const { link } = await buildOffer(false);
    const answer = await signUp({ a: String(partner.id), utm_campaign: link.slug });
    expect(await referralOf(answer)).toMatchObject({ couponId: null });
  });
});
