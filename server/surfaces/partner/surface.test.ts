import { beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let token: string;

beforeAll(async () => {
  ({ token } = await buildPartner(test));
});

const call = callAs(
  () => test,
  () => token,
);
const callAsNobody = callAs(
  () => test,
  () => undefined,
);

describe('the status', () => {
  it('the status needs no credential', async () => {
    expect(await callAsNobody('GET', '/status')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await callAsNobody('HEAD', '/status')).status).toBe(200);
  });

  it('the status is 503 while the database is unavailable and 200 afterwards', async () => {
    const proxy = await startDatabaseProxy(test.connection);
    {
      await using linked = await startTestApp({ beside: { ...test, connection: proxy.connection } });
      const status = () => linked.app.inject('/v2/partners/status');
      expect((await status()).statusCode).toBe(200);
      await proxy.disconnect();
      for (const path of ['/status', '', '/tokens']) {
        const answer = await linked.app.inject({
          url: `/v2/partners${path}`,
          headers: { authorization: `Bearer ${token}` },
        });
        expect(answer.statusCode).toBe(503);
        expect(answer.json().error.type).toBe('unavailable');
        expect(answer.headers['retry-after']).toBe('2');
      }
      await proxy.reconnect();
      expect((await status()).statusCode).toBe(200);
    }
    await proxy.disconnect();
  });
});

describe('paths', () => {
  it.each(['/', '/status/', '/tokens/'])('may end in a slash: %s', async (path) => {
    expect((await call('GET', path)).status).toBe(200);
  });

  it.each(['', '/tokens', '/status'])('answer HEAD where they answer GET: %j', async (path) => {
    expect(await call('HEAD', path)).toMatchObject({ status: 200, body: undefined });
  });

  it.each([
    ['POST', '', 'GET, PUT, HEAD'],
    ['PATCH', '', 'GET, PUT, HEAD'],
    ['DELETE', '/tokens', 'POST, GET, HEAD'],
    ['GET', '/tokens/1', 'DELETE'],
    ['PUT', '/status', 'GET, HEAD'],
  ] as const)('answer 405 to %s %s and list the allowed methods', async (method, path, allow) => {
    const { status, headers, body } = await call(method, path);
    expect({ status, allow: headers.allow, type: body.error.type }).toEqual({
      status: 405,
      allow,
      type: 'method_not_allowed',
    });
  });

  it.each([
    ['/nowhere', 404, 'not_found'],
    ['/tokens/1/2', 404, 'not_found'],
    [`/tokens/${'9'.repeat(400)}`, 400, 'validation'],
    ['/%00', 400, 'validation'],
    ['/%ff', 400, 'validation'],
    ['/nowhere?a=%ff', 404, 'not_found'],
  ])('that do not exist return an error in the same format: %s', async (path, code, type) => {
    const { status, body } = await call('DELETE', path);
    expect({ status, type: body.error.type }).toEqual({ status: code, type });
  });

  it('an unreadable query is rejected', async () => {
    expect(await call('GET', '?a=%ff')).toMatchObject({ status: 400, body: { error: { type: 'validation' } } });
  });

  it('a body above one mebibyte is rejected', async () => {
    const { status, body } = await call('POST', '/tokens', { label: 'x'.repeat(1024 * 1024) });
    expect({ status, type: body.error.type }).toEqual({ status: 413, type: 'too_large' });
  });
});
