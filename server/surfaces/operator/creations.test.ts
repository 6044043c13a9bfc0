import { describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';

const test = useTestApp();

const send = async (
  path: string,
  body: unknown,
  authorization: string | undefined = `Bearer ${test.operatorToken}`,
) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/operator/v1/${path}`,
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json() };
};

let count = 0;
const login = () => `person-${++count}@shop.example`;
const organization = (input: object = {}) => ({
  name: 'Corner shop',
  owner: { login: login(), name: 'Olga', password: 'a long password' },
  ...input,
});
const partner = (input: object = {}) => ({
  login: login(),
  password: 'a long password',
  first_name: 'Paula',
  last_name: 'Partner',
  ...input,
});
const mailsTo = async (address: string) => {
  await test.runDueJobs();
  return (await test.context.ports.outbox!.list()).filter((mail) => JSON.stringify(mail).includes(address));
};
const rows = async (table: 'organizations' | 'partners') =>
  (await test.context.database.kysely.selectFrom(table).select('id').execute()).length;

describe('creating an organization', () => {
  it('creating an organization returns its ids and a working API key', async () => {
    const { status, body } = await send('organizations', organization({ plan: 'business', timezone: 'Europe/Warsaw' }));
    expect(status).toBe(201);
    expect(body).toEqual({
      organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      license_id: expect.any(Number),
      owner: { login: expect.any(String), api_key: expect.stringMatching(/^dal-/) },
    });
    const token = await test.app.inject({
      method: 'POST',
      url: '/v2/customer/token',
      headers: { authorization: `Bearer ${body.owner.api_key}` },
      payload: { grant_type: 'agent_token', client_id: 'c', response_type: 'token' },
    });
    expect(token.json()).toMatchObject({ organization_id: body.organization_id });
  });

  it('creating an organization lowercases the login and emails the owner', async () => {
    const input = organization();
    const { body } = await send('organizations', {
      ...input,
      owner: { ...input.owner, login: input.owner.login.toUpperCase() },
    });
    expect(body.owner.login).toBe(input.owner.login);
    const mails = await mailsTo(input.owner.login);
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails[0])).toContain(body.organization_id);
  });

  it('one person may own two organizations', async () => {
    const input = organization();
    expect((await send('organizations', input)).status).toBe(201);
    expect((await send('organizations', input)).status).toBe(201);
  });

  it('a line break in a name does not reach an email header', async () => {
    const input = organization({ name: 'Shop\r\nBcc: everybody@evil.example' });
    expect((await send('organizations', input)).status).toBe(201);
    const [mail] = await mailsTo(input.owner.login);
    expect(JSON.stringify(mail)).not.toMatch(/\\r?\\nBcc:/);
  });

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of spaces only', { name: '   ' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['no owner', { owner: undefined }],
    ['no password', { owner: { login: 'a@b.example', name: 'x' } }],
    ['a short password', { owner: { login: 'a@b.example', name: 'x', password: '1234' } }],
    ['a login that is not an email address', { owner: { login: 'olga', name: 'x', password: 'a long password' } }],
    ['a login with a line break', { owner: { login: 'a@b.example\r\nx: y', name: 'x', password: 'a long password' } }],
    ['an unknown plan', { plan: 'free' }],
    ['an unknown region', { region: 'par' }],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }],
    ['a number for a name', { name: 5 }],
  ])('an organization with %s is rejected', async (_, input) => {
    const before = await rows('organizations');
    expect(await send('organizations', organization(input))).toMatchObject({
      status: 400,
      body: { error: { type: 'validation', details: [{ field: expect.any(String), message: expect.any(String) }] } },
    });
    expect(await rows('organizations')).toBe(before);
  });
});

describe('creating a partner', () => {
  it('creating a partner returns the id and the first token and sends an email', async () => {
    const input = partner();
    const { status, body } = await send('partners', input);
    expect(status).toBe(201);
    expect(body).toEqual({ partner_id: expect.stringMatching(/^\d+$/), token: expect.stringMatching(/^dal-/) });
    expect(await mailsTo(input.login)).toHaveLength(1);
  });

  it('a login is unique regardless of case', async () => {
    const input = partner();
    await send('partners', input);
    for (const again of [input.login, input.login.toUpperCase()])
      expect(await send('partners', partner({ login: again }))).toMatchObject({
        status: 409,
        body: { error: { type: 'conflict' } },
      });
    expect(await mailsTo(input.login)).toHaveLength(1);
  });

  it('a login is unique under concurrency', async () => {
    const input = partner();
    const answers = await Promise.all([send('partners', input), send('partners', input)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('a new partner records its referrer', async () => {
    const { partner_id } = (await send('partners', partner())).body;
    expect((await send('partners', partner({ referred_by: partner_id }))).status).toBe(201);
    for (const referred_by of ['1', '999999999999999', 'x', '-1', 5, '1'.repeat(16)])
      expect(await send('partners', partner({ referred_by }))).toMatchObject({ status: 400 });
  });

  it.each<[string, object]>([
    ['no login', { login: undefined }],
    ['a login that is not an email address', { login: 'paula' }],
    ['a short password', { password: '12345' }],
    ['no first name', { first_name: undefined }],
    ['an empty last name', { last_name: '' }],
    ['a contact that is not an email address', { contact_email: 'x' }],
  ])('a partner with %s is rejected', async (_, input) => {
    const before = await rows('partners');
    expect(await send('partners', partner(input))).toMatchObject({
      status: 400,
      body: { error: { type: 'validation' } },
    });
    expect(await rows('partners')).toBe(before);
  });
});

describe('the operator', () => {
  it.each(['organizations', 'partners'])('only the operator may create %s', async (path) => {
    const body = path === 'organizations' ? organization() : partner();
    const created = (await send('organizations', organization())).body;
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${test.operatorToken}`,
      `Bearer ${created.owner.api_key}`,
    ])
      expect(await send(path, body, authorization)).toMatchObject({
        status: 401,
        body: { error: { type: 'authentication' } },
      });
  });

  it('unknown paths are answered in the format of the operator API', async () => {
    const response = await test.app.inject({ method: 'GET', url: '/operator/v1/nothing' });
    expect([response.statusCode, response.json().error.type]).toEqual([404, 'not_found']);
    const wrong = await test.app.inject({ method: 'DELETE', url: '/operator/v1/partners' });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, expect.stringContaining('POST')]);
  });
});
