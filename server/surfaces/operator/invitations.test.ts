import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';

const test = useTestApp({ config: { signUp: 'invite' } });

const HTML = { accept: 'text/html' };
const newAddress = (): string => `person-${randomUUID()}@shop.example`;

const operator = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
  const headers = { authorization: `Bearer ${test.operatorToken}` };
  const url = `/operator/v1${path}`;
  const response = await test.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
  return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() };
};
const invite = async (input: object = {}) =>
  (await operator('POST', '/invitations', { kind: 'organization', ...input })).body;

const signUp = async (invitation?: string, email = newAddress(), app = test) => {
  const payload = { email, name: 'Nora', password: 'a long password', organization: 'Corner shop', invitation };
  const { statusCode, body } = await app.app.inject({ method: 'POST', url: '/signup', payload });
  return { status: statusCode, body };
};
const join = async (invitation?: string, app = test) => {
  const names = { first_name: 'Nora', last_name: 'New' };
  const payload = { ...names, email: newAddress(), password: 'a long password', invitation };
  return (await app.app.inject({ method: 'POST', url: '/join', payload })).statusCode;
};

describe('with SIGNUP=invite', () => {
  it('an account is created only with an invitation of the right kind, once', async () => {
    const { code, url } = await invite();
    expect(url).toBe(`http://parley.test/signup?invitation=${code}`);
    expect(await signUp()).toMatchObject({ status: 400, body: expect.stringContaining('invitation') });
    expect((await signUp('wrong')).status).toBe(400);
    expect(await join(code)).toBe(400);
    expect((await signUp(code)).status).toBe(201);
    expect((await signUp(code)).status).toBe(400);
    const { code: forPartner, url: joinUrl } = await invite({ kind: 'partner' });
    expect(joinUrl).toContain('/join?');
    expect((await signUp(forPartner)).status).toBe(400);
    expect([await join(forPartner), await join(forPartner)]).toEqual([201, 400]);
  });

  it('concurrent sign-ups use an invitation once', async () => {
    const { code } = await invite();
    const answers = await Promise.all([signUp(code), signUp(code), signUp(code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
  });

  it('an invitation for one address does not work for others', async () => {
    const email = newAddress();
    const { code } = await invite({ email: email.toUpperCase() });
    expect((await signUp(code)).status).toBe(400);
    expect((await signUp(code, email)).status).toBe(201);
  });

  it('an invitation expires after 14 days and can be deleted', async () => {
    const old = await invite();
    const deleted = await invite();
    expect((await operator('DELETE', `/invitations/${deleted.invitation_id}`)).status).toBe(204);
    expect((await operator('DELETE', `/invitations/${deleted.invitation_id}`)).status).toBe(404);
    expect((await signUp(deleted.code)).status).toBe(400);
    test.clock.advance(14 * 24 * 3600_000);
    expect((await signUp(old.code)).status).toBe(400);
  });

  it('the operator lists invitations without their codes', async () => {
    const email = newAddress();
    const { code, invitation_id } = await invite({ email });
    await signUp(code, email);
    const { body } = await operator('GET', `/invitations?after=${invitation_id - 1}&limit=1`);
    expect(body.invitations).toEqual([
      {
        ...{ invitation_id, kind: 'organization', email },
        ...{ created_at: expect.any(String), expires_at: expect.any(String), used_at: expect.any(String) },
      },
    ]);
    expect(JSON.stringify((await operator('GET', '/invitations')).body)).not.toContain(code);
  });

  it('the page asks for the code and fills in the one of the link', async () => {
    const { code, url } = await invite();
    const page = await test.app.inject({ url: url.replace('http://parley.test', '') });
    expect([page.statusCode, page.body.includes(`name="invitation" type="text" value="${code}"`)]).toEqual([200, true]);
    const headers = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
    const payload = 'email=a%40b.example&name=N&organization=O&password=a+long+password&invitation=wrong';
    const refused = await test.app.inject({ method: 'POST', url: '/signup', headers, payload });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('Enter the code of a valid invitation');
  });
});

it('with SIGNUP=closed the operations and the pages answer 403 and say whom to ask', async () => {
  const config = { signUp: 'closed', mailFrom: 'Chat <help@chat.example>' } as const;
  await using closed = await startTestApp({ config });
  expect((await signUp(undefined, newAddress(), closed)).status).toBe(403);
  expect(await join(undefined, closed)).toBe(403);
  for (const url of ['/signup', '/join']) {
    const page = await closed.app.inject({ url, headers: HTML });
    expect([page.statusCode, page.body.includes('operator of this server (help@chat.example)')]).toEqual([403, true]);
  }
  const home = await closed.app.inject({ url: '/' });
  expect(home.body).not.toContain('href="/signup"');
});
