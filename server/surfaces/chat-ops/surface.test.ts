import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { arrangeChat, say } from '../../testing/builders/archive.ts';

const test = useTestApp();
let organization: TestOrganization;

beforeAll(async () => {
  organization = await buildOrganization(test);
});

const get = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'GET', url, headers: { authorization: organization.owner.basic, ...headers } });

const basic = (login: string, key: string) => `Basic ${Buffer.from(`${login}:${key}`).toString('base64')}`;

describe('authentication', () => {
  it('accepts login and API key, or the key as a bearer token', async () => {
    const { login, apiKey } = organization.owner;
    const credentials = [basic(login, apiKey), basic(login.toUpperCase(), apiKey), `Bearer ${apiKey}`];
    for (const authorization of credentials) expect((await get('/agents', { authorization })).statusCode).toBe(200);
  });

  it('fails without a valid credential, with an error body and a challenge', async () => {
    const { login, apiKey } = organization.owner;
    const wrong = [
      '',
      'Basic',
      basic(login, 'dal-wrong'),
      basic('other@shop.test', apiKey),
      'Bearer x',
      `Token ${apiKey}`,
    ];
    for (const authorization of wrong) {
      const response = await get('/agents', { authorization });
      const message = 'The login or the API key is wrong';
      expect(response.json()).toEqual({ message, code: 401, error: message, errors: [message] });
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toContain('Basic realm=');
    }
  });

  it('redirects to the region of the account', async () => {
    const response = await get('/agents', { authorization: 'Bearer fra-some-key' });
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toMatch(/region fra.*X-Region: fra/);
  });

  it.each(['expired', 'blocked'] as const)('rejects reads and writes when the license is %s', async (status) => {
    const other = await buildOrganization(test);
    const { kysely } = test.context.database;
    await kysely.updateTable('organizations').where('id', '=', other.id).set({ status }).execute();
    const authorization = other.owner.basic;
    for (const url of ['/agents', '/chats', '/tickets', '/visitors', '/reports/chats/total_chats', '/status'])
      expect((await get(url, { authorization })).statusCode, url).toBe(200);
    const changes = [
      ['POST', '/tags', { tag: 'new', group: 0 }],
      ['PUT', `/agents/${other.owner.login}`, { name: 'New' }],
      ['DELETE', '/tags/none', {}],
      ['POST', '/tickets', { message: 'Hello', requester: { mail: 'ann@shop.test' } }],
    ] as const;
    for (const [method, url, payload] of changes) {
      const response = await test.app.inject({ method, url, headers: { authorization }, payload });
      const message = 'License expired';
      expect(response.json(), url).toEqual({ message, code: 403, error: message, errors: [message] });
      expect(response.statusCode).toBe(403);
    }
  });

  it('is rate limited', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const headers = { authorization: organization.owner.basic };
    const ask = async () => (await limited.app.inject({ method: 'GET', url: '/agents', headers })).statusCode;
    const answers = await Promise.all(Array.from({ length: 600 }, ask));
    expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(200);
    expect(answers).toContain(429);
  });
});

describe('a browser', () => {
  it('on another site is rejected before its credential is checked', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const response = await get('/chats?callback=steal', { 'sec-fetch-site': site });
      expect(response.statusCode).toBe(403);
    }
  });

  it('does not get a challenge for a password that it would store', async () => {
    const response = await get('/agents', { authorization: '', 'sec-fetch-site': 'none' });
    expect(response.headers['www-authenticate']).toBe('Bearer realm="Parley"');
  });

  it('gets no CORS headers, and no response to a preflight', async () => {
    const headers = { origin: 'https://shop.test', 'access-control-request-method': 'GET' };
    const preflight = await test.app.inject({ method: 'OPTIONS', url: '/agents', headers });
    expect(preflight.statusCode).toBe(405);
    const allowed = [...Object.keys(preflight.headers), ...Object.keys((await get('/agents', headers)).headers)];
    expect(allowed.filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the API', () => {
  it('serves only version 2', async () => {
    expect((await get('/agents', { 'x-api-version': '2' })).statusCode).toBe(200);
    for (const version of ['1', '3.5', '2, 1', '']) {
      const response = await get('/agents', { 'x-api-version': version });
      expect([version, response.statusCode]).toEqual([version, 400]);
    }
  });

  it('lists the allowed methods of a known path', async () => {
    for (const method of ['PUT', 'PATCH'] as const) {
      const response = await test.app.inject({ method, url: '/chats/ABC' });
      expect(response.statusCode).toBe(405);
      expect(response.headers.allow).toBe('GET, HEAD');
      expect(response.json()).toMatchObject({ code: 405 });
    }
  });

  it('returns its own error for unknown paths', async () => {
    const response = await get('/nothing/here');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 404, errors: [response.json().message] });
  });

  it('accepts a single value as a list in forms, but not in JSON', async () => {
    const send = (payload: object | string) =>
      test.app.inject({
        ...{ method: 'POST', url: '/canned_responses', payload },
        headers: {
          authorization: organization.owner.basic,
          'content-type': typeof payload === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
        },
      });
    expect((await send('text[]=a&tags=b&group=0')).json()).toMatchObject({ text: 'a', tags: ['b'] });
    expect((await send({ text: 'a', tags: 'b', group: '0' })).json()).toMatchObject({ text: 'a', tags: ['b'] });
    for (const [wrong, message] of [
      [{ text: ['a'], tags: ['b'] }, '`text` must be string'],
      [{ text: 'a', tags: ['b'], group: [0] }, '`group` must be integer'],
      [{ text: 'a', tags: ['b'], group: true }, '`group` must be integer'],
      [{ text: 'a', tags: ['b'], group: '0x0' }, '`group` must be integer'],
    ] as const) {
      const answer = await send(wrong);
      expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
    }
    expect((await send('text=a&tags=b&group=0x0')).statusCode).toBe(400);
  });

  it('rejects broken query strings', async () => {
    for (const query of ['status=%ff', '__proto__[x]=1', `a${'[b]'.repeat(9)}=1`]) {
      expect((await get(`/agents?${query}`)).statusCode).toBe(400);
    }
  });
});

describe('JSONP', () => {
  const callbacks = ['cb', 'jQuery19_42', '$', '_a.b$c', `a${'b'.repeat(63)}`];

  it('wraps a response in a call of the named function', async () => {
    for (const callback of callbacks) {
      const response = await get(`/agents?callback=${encodeURIComponent(callback)}`);
      expect(response.headers['content-type']).toBe('application/javascript; charset=utf-8');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      const start = `/**/${callback}(`;
      expect(response.body.startsWith(start) && response.body.endsWith(');')).toBe(true);
      expect(JSON.parse(response.body.slice(start.length, -2))).toHaveLength(1);
    }
  });

  it('rejects invalid names and does not echo them', async () => {
    const bad = ['', '1a', 'a b', 'a(b)', 'alert(1)//', 'a\n', 'a;b', 'é', '.a', `a${'b'.repeat(64)}`];
    for (const callback of bad) {
      const response = await get(`/agents?callback=${encodeURIComponent(callback)}`);
      expect([callback, response.statusCode]).toEqual([callback, 400]);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect((await get('/agents?callback=a&callback=b')).statusCode).toBe(400);
  });

  it('wraps errors too and keeps their status', async () => {
    for (const [url, status] of [
      ['/chats/NOBODY', 404],
      ['/chats?page=0', 400],
    ] as const) {
      const response = await get(`${url}${url.includes('?') ? '&' : '?'}callback=cb`);
      expect(response.statusCode).toBe(status);
      expect(response.body).toMatch(/^\/\*\*\/cb\(\{"message":.*\}\);$/);
    }
    const response = await get('/agents?callback=cb', { authorization: '' });
    expect([response.statusCode, response.body.slice(0, 7)]).toEqual([401, '/**/cb(']);
  });

  it('escapes line separators that break older engines', async () => {
    const { threadId } = await arrangeChat(test, organization, {
      events: [say('one\u2028two\u2029three')],
      seconds: 1,
    });
    const { body } = await get(`/chats/${threadId}?callback=cb`);
    expect(body).toContain('one\\u2028two\\u2029three');
  });
});
