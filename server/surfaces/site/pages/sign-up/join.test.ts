import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildReferrer, openVisitor, type TestReferrer } from '../../../../testing/builders/click-links.ts';

const test = useTestApp();
let partner: TestReferrer;
beforeEach(async () => {
  partner = await buildReferrer(test);
});

const person = (input: object = {}) => ({
  email: `partner-${randomUUID()}@web.example`,
  first_name: 'Nora',
  last_name: 'New',
  password: 'a long password',
  ...input,
});

const join = async (input: object = {}, visitor = openVisitor(test)) => {
  const response = await visitor.send({ url: '/join', method: 'POST', payload: person(input) });
  return { status: response.statusCode, body: response.json() };
};

const referralOf = async ({ body }: Awaited<ReturnType<typeof join>>) => {
  const referredId = Number(body.partner_id);
  const { referredBy } = await test.context.database.kysely
    .selectFrom('partners')
    .where('id', '=', referredId)
    .select('referredBy')
    .executeTakeFirstOrThrow();
  const row = await partner.scope
    .from('referredPartners')
    .where('referredId', '=', referredId)
    .selectAll()
    .executeTakeFirst();
  expect(referredBy).toBe(row ? partner.id : null);
  return row;
};

describe('POST /join', () => {
  it('returns a valid token and creates a link for each product', async () => {
    const input = person({ email: `Nora-${randomUUID()}@Web.Example` });
    const { status, body } = await join(input);
    expect(status).toBe(201);
    expect(body).toEqual({
      partner_id: expect.stringMatching(/^\d+$/),
      login: input.email.toLowerCase(),
      token: expect.stringMatching(/^dal-/),
    });
    const profile = await test.app.inject({ url: '/v2/partners', headers: { authorization: `Bearer ${body.token}` } });
    expect(profile.json()).toMatchObject({ partner_id: body.partner_id, login: input.email.toLowerCase() });
  });

  it('does not reveal that an email is already registered', async () => {
    const input = person();
    const answers = await Promise.all([join(input), join(input)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect((await join({ ...input, email: input.email.toUpperCase() })).status).toBe(201);
  });

  it('sends an email without any of the submitted text', async () => {
    const input = person({ first_name: 'Visit evil.example' });
    await join(input);
    await test.runDueJobs();
    const mails = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === input.email);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain('evil.example');
  });

  it.each<[string, object]>([
    ['no first name', { first_name: undefined }],
    ['an empty last name', { last_name: ' ' }],
    ['a short password', { password: '12345' }],
    ['an invalid email', { email: 'x' }],
  ])('rejects %s', async (_, input) =>
    expect(await join(input)).toMatchObject({ status: 400, body: { error: { type: 'validation' } } }),
  );

  it('rejects forms submitted from other sites', async () => {
    const headers = { origin: 'https://evil.example' };
    const response = await openVisitor(test).send({ url: '/join', method: 'POST', headers, payload: person() });
    expect(response.statusCode).toBe(403);
  });
});

describe('partner attribution', () => {
  it('uses the last click', async () => {
    const visitor = openVisitor(test);
    const link = await partner.linkOf('partner_program');
    const { headers } = await visitor.send({ url: `/go/${link.code}?utm_medium=talk` });
    expect(headers.location).toMatch(/^http:\/\/parley\.test\/join\?/);
    const [click] = await partner.clicks();
    expect(await referralOf(await join({}, visitor))).toMatchObject({
      ...{ campaignId: link.id, clickId: click!.id, utmCampaign: link.slug, utmMedium: 'talk' },
    });
  });

  it('uses the parameters of the link', async () => {
    const { id } = await partner.linkOf('partner_program');
    expect(await referralOf(await join({ a: partner.id }))).toMatchObject({ campaignId: id });
  });

  it('ignores blocked and unknown partners and self-referrals', async () => {
    expect(await referralOf(await join({ a: '999999999' }))).toBeUndefined();
    const email = partner.login.replace('@', '+again@');
    expect(await referralOf(await join({ a: partner.id, email }))).toBeUndefined();
    await partner.block();
    expect(await referralOf(await join({ a: partner.id }))).toBeUndefined();
  });
});
