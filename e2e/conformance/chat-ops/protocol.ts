import { describe, expect, it } from 'vitest';
import { send } from '../customer/call.ts';
import { basic, callAs, expectError, newShop, revealApiKey, signIn } from './index.ts';
import { target } from './target.ts';

const shop = await newShop(target);
const { owner } = shop;
const own = basic(owner.login, owner.key);

const sendRequest = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  send(`${target.url}${path}`, { ...init, headers: { authorization: own, ...headers } });

describe('authentication', () => {
  it('requests authenticate by login and API key or by the key as a bearer token', async () => {
    expect((await sendRequest('/agents')).status).toBe(200);
    expect((await sendRequest('/agents', { authorization: `Bearer ${owner.key}` })).status).toBe(200);
    expect((await sendRequest('/agents', { authorization: basic(owner.login.toUpperCase(), owner.key) })).status).toBe(
      200,
    );
  });

  it('an agent who signed in reveals their API key with the password', async () => {
    const cookie = await signIn(target.url, owner.login);
    const { body } = await callAs(target.url, { cookie }, 'GET', `/agents/${owner.login}`);
    expect([body.login, body.api_key]).toEqual([owner.login, undefined]);
    expect(await revealApiKey(target.url, cookie)).toBe(owner.key);
  });

  it('a wrong login and a wrong password return the same error', async () => {
    const attempt = (login: string, password: string) =>
      send(`${target.url}/signin`, { method: 'POST', body: new URLSearchParams({ login, password }) });
    const [wrongPassword, wrongLogin] = [
      await attempt(owner.login, 'not this one'),
      await attempt('nobody@shop.test', 'not this one'),
    ];
    expect(wrongPassword.status).toBe(401);
    expect([wrongLogin.status, wrongLogin.body]).toEqual([wrongPassword.status, wrongPassword.body]);
  });

  it('tokens start with their data center', () => expect(owner.key).toMatch(/^(dal|fra)-/));

  it('cross-domain browser requests are denied', async () => {
    const origin = { origin: 'http://localhost:3000' };
    expect((await sendRequest('/agents', origin)).headers.get('access-control-allow-origin')).toBeNull();
    expectError(await sendRequest('/agents', { ...origin, 'sec-fetch-site': 'cross-site' }), 403);
    const preflight = await send(`${target.url}/agents`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('JSONP', () => {
  it.each(['/agents', '/chats', '/reports/chats/total_chats', '/status', '/visitors'])(
    'JSONP wraps the response of GET %s',
    async (path) => {
      const { status, headers, body } = await sendRequest(`${path}?callback=shop.show`);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toContain('application/javascript');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const json = /^\/\*\*\/\s*(?:typeof shop\.show === 'function' && )?shop\.show\((.*)\);?$/s.exec(body)?.[1];
      expect(JSON.parse(json!)).toEqual((await sendRequest(path)).body);
    },
  );

  it('JSONP rejects a callback that is not a function name', async () => {
    for (const callback of ['alert(1)', 'a b', '1a', 'a;b', 'a'.repeat(65), '%3Cscript%3E'])
      expect((await sendRequest(`/agents?callback=${encodeURIComponent(callback)}`)).status).toBe(400);
  });

  it('JSONP ignores session cookies', async () => {
    const cookie = await signIn(target.url, owner.login);
    const response = await send(`${target.url}/agents?callback=show`, { headers: { cookie } });
    expect(JSON.stringify(response.body)).not.toContain(owner.login);
  });

  it('JSONP works with the session of a visitor', async () => {
    const start = { licence_id: shop.license, welcome_message: 'Hello?' };
    const { body } = await callAs(target.url, {}, 'POST', '/visitors/jsonp/chat/start', start);
    const query = `licence_id=${shop.license}&secured_session_id=${body.secured_session_id}&callback=show`;
    const pending = await send(`${target.url}/visitors/jsonp/chat/get_pending_messages?${query}`, {});
    expect([pending.status, pending.body]).toEqual([200, expect.stringMatching(/^\/\*\*\/.*show\(.*Hello\?/s)]);
  });
});

describe('errors', () => {
  it('invalid arguments return 400', async () => {
    expectError(await owner.sendRequest('GET', '/chats?page=0'), 400);
    expectError(await owner.sendRequest('GET', '/chats?date_from=yesterday'), 400);
    expectError(await owner.sendRequest('GET', '/reports/chats/total_chats?timezone=Mars/Olympus'), 400);
    expectError(
      await sendRequest('/agents', { 'content-type': 'application/json' }, { method: 'POST', body: '{' }),
      400,
    );
  });

  it('a request without credentials returns 401 with WWW-Authenticate', async () => {
    const response = await send(`${target.url}/agents`, {});
    expectError(response, 401);
    expect(response.headers.get('www-authenticate')).toMatch(/Basic/);
  });

  it('unknown paths and objects return 404', async () => {
    for (const path of ['/nothing', '/agents/a/b/c', '/chats/NOSUCHCHAT', '/tickets/NOSUCHTICKET'])
      expectError(await owner.sendRequest('GET', path), 404);
  });

  it('X-API-Version must be 2 or absent', async () => {
    expect((await sendRequest('/agents', { 'x-api-version': '2' })).status).toBe(200);
    for (const version of ['1', '3', 'two'])
      expectError(await sendRequest('/agents', { 'x-api-version': version }), 400);
  });
});

describe('request bodies', () => {
  const rules = [
    { type: 'url_current', value: 'https://shop.test/ä?x=1&y=2', operator: 'contains' },
    { type: 'visits_number', value: '3', operator: 'greater_than' },
  ];

  it('a form and JSON are equivalent', async () => {
    const form = new URLSearchParams({ name: 'G', group: '0' });
    for (const [at, rule] of rules.entries())
      for (const [key, value] of Object.entries(rule)) form.append(`rules[${at}][${key}]`, value);
    const made = await sendRequest('/greetings', {}, { method: 'POST', body: form });
    const same = await owner.ok('POST', '/greetings', { name: 'G', group: 0, rules });
    expect(made.status).toBe(200);
    expect({ ...made.body, id: 0 }).toEqual({ ...same, id: 0 });
    expect(made.body.rules).toMatchObject(rules);
  });

  it.each(['tags[]=a&tags[]=b', 'tags[0]=a&tags[1]=b', 'tags%5B%5D=a&tags%5B%5D=b'])(
    'arrays can be sent as %s',
    async (tags) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status, body } = await sendRequest('/canned_responses', headers, {
        method: 'POST',
        body: `text=Hello&${tags}`,
      });
      expect([status, body.tags]).toEqual([200, ['a', 'b']]);
    },
  );
});

describe('limits', () => {
  it('lists have 25 items per page and at most 1000 pages', async () => {
    const office = await newShop(target);
    const requester = { mail: 'a@far.test' };
    await Promise.all(
      Array.from({ length: 26 }, () => office.owner.ok('POST', '/tickets', { message: 'x', requester })),
    );
    const visitors = await Promise.all(Array.from({ length: 26 }, () => office.customer()));
    for (const visitor of visitors) {
      const { chat_id } = await visitor.ok('start_chat', { continuous: true });
      await visitor.ok('deactivate_chat', { id: chat_id });
    }
    for (const name of ['chats', 'tickets']) {
      const [first, second, third] = [
        await office.owner.ok('GET', `/${name}`),
        await office.owner.ok('GET', `/${name}?page=2`),
        await office.owner.ok('GET', `/${name}?page=3`),
      ];
      expect([first.total, first.pages, first[name].length]).toEqual([26, 2, 25]);
      expect([second.total, second.pages, second[name].length]).toEqual([26, 2, 1]);
      expect(third[name]).toEqual([]);
      const ids = [...first[name], ...second[name]].map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(26);
      expect((await office.owner.ok('GET', `/${name}?page=1000`))[name]).toEqual([]);
      const beyond = await office.owner.sendRequest('GET', `/${name}?page=1001`);
      expectError(beyond, 400);
      expect(beyond.body.message).toMatch(/date/);
    }
  });

  it('welcome_message has at most 1024 characters', async () => {
    const start = (welcome_message: string) =>
      callAs(target.url, {}, 'POST', '/visitors/long/chat/start', { licence_id: shop.license, welcome_message });
    expect((await start('ą'.repeat(1024))).status).toBe(200);
    expectError(await start('ą'.repeat(1025)), 400);
  });
});
