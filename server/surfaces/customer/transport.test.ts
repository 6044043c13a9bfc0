import { gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { createTestDatabase, startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
beforeAll(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
});

const send = async (path: string, { headers, ...options }: InjectOptions = {}) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `${path}?organization_id=${organization.id}`,
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json', ...headers },
    payload: '{}',
    ...options,
  });
  return { status: response.statusCode, headers: response.headers, body: response.body && response.json() };
};
const LIST = '/v3.5/customer/action/list_chats';

describe('the path', () => {
  it('may end in a slash', async () => expect((await send(`${LIST}/`)).status).toBe(200));

  it.each([
    ['/customer/action/list_chats', '3.5', 200, undefined],
    ['/customer/action/list_chats', '3.4', 400, 'unsupported_version'],
    ['/customer/action/list_chats', undefined, 400, 'unsupported_version'],
    ['/v3.4/customer/action/list_chats', undefined, 400, 'unsupported_version'],
    ['/v4/customer/action/list_chats', '3.5', 400, 'unsupported_version'],
    ['/v3.5/customer/action/list_chats', '3.4', 200, undefined],
    ['/v3.5/customer/action/fly_to_the_moon', undefined, 404, 'not_found'],
    ['/v3.5/customer/action/', undefined, 404, 'not_found'],
    ['/v3.5/customer/action', undefined, 404, 'not_found'],
    ['/v3.5/customer/action/%zz', undefined, 400, 'validation'],
    ['/v3.5/customer/action/list_chats%00', undefined, 400, 'validation'],
  ])('%s with version %s in the header returns %i', async (path, version, status, type) => {
    const answer = await send(path, { headers: version ? { 'x-api-version': version } : {} });
    expect(answer.status).toBe(status);
    if (type) expect(answer).toMatchObject(errorResponse(status, type));
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('rejects %s and lists the allowed methods', async (method) => {
    const answer = await send(LIST, method === 'GET' ? { method, payload: undefined } : { method });
    expect(answer).toMatchObject(errorResponse(405, 'validation'));
    expect(answer.headers.allow).toContain('POST');
  });
});

describe('the body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data', 'nonsense'])(
    'is rejected as %s',
    async (type) =>
      expect(await send(LIST, { headers: { 'content-type': type } })).toMatchObject(errorResponse(400, 'validation')),
  );

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
    'is accepted as %s',
    async (type) => expect((await send(LIST, { headers: { 'content-type': type } })).status).toBe(200),
  );

  it('may be missing where nothing is required', async () => {
    expect((await send(LIST, { payload: '' })).status).toBe(200);
    const bare = await test.app.inject({
      method: 'POST',
      url: `${LIST}?organization_id=${organization.id}`,
      headers: { authorization: `Bearer ${customer.token}` },
    });
    expect(bare.statusCode).toBe(200);
  });

  it.each([
    '{',
    '{"limit":1,"limit":2}',
    '{"__proto__":{}}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"a":1e400}',
    '['.repeat(100),
  ])('is rejected when it is %s', async (payload) =>
    expect(await send(LIST, { payload })).toMatchObject(errorResponse(400, 'validation')),
  );

  it('is rejected when it is not UTF-8', async () => {
    const payload = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
    expect(await send(LIST, { payload })).toMatchObject(errorResponse(400, 'validation'));
  });

  it('is rejected when it is compressed', async () => {
    const answer = await send(LIST, { payload: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } });
    expect(answer).toMatchObject(errorResponse(400, 'validation'));
  });

  it('is rejected when it is too large', async () => {
    const payload = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });
    expect(await send(LIST, { payload })).toMatchObject(errorResponse(413, 'entity_too_large'));
  });
});

describe('a page of another origin', () => {
  it('may send requests with a bearer token but without cookies', async () => {
    const answer = await send(LIST, { headers: { origin: 'https://shop.example' } });
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('gets a preflight response, and may read errors', async () => {
    const preflight = await test.app.inject({
      method: 'OPTIONS',
      url: LIST,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
    expect(preflight.headers['access-control-allow-methods']).toContain('POST');
    const refused = await send(LIST, { headers: { authorization: 'Bearer x', origin: 'https://shop.example' } });
    expect(refused.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('every response', () => {
  it('contains security headers and a request id', async () => {
    const { headers } = await send(LIST);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an unavailable database', () => {
  it('makes every operation fail with 503 until it is available again', async () => {
    const proxy = await startDatabaseProxy(await createTestDatabase());
    const parted = await startTestApp({ connection: proxy.connection });
    const shop = await buildOrganization(parted);
    const call = callAs(parted, shop, await buildCustomer(shop));
    const { chat_id } = (await call('start_chat')).body;
    await proxy.disconnect();
    for (const [operation, body] of [
      ['list_chats', {}],
      ['start_chat', {}],
      ['send_event', { chat_id, event: message('lost?', { custom_id: 'k' }) }],
    ] as const) {
      const answer = await call(operation, body);
      expect(answer).toMatchObject(errorResponse(503, 'service_unavailable'));
      expect(answer.headers['retry-after']).toBe('2');
    }
    await proxy.reconnect();
    expect((await call('send_event', { chat_id, event: message('lost?', { custom_id: 'k' }) })).status).toBe(200);
    expect((await call('get_chat', { chat_id })).body.thread.events).toHaveLength(1);
    await parted[Symbol.asyncDispose]();
    await proxy.disconnect();
  });
});
