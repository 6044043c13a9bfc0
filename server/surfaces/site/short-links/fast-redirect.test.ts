import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';
import { startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { BROWSER, buildReferrer, type TestLink, type TestReferrer } from '../../../testing/builders/click-links.ts';
import { createRedirect, type Redirect } from './create-redirect.ts';
import { createFastRedirect } from './fast-redirect.ts';

const HERE = '127.0.0.1';

interface Ask {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  /** The part of the URL after the code. */
  rest?: string;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  /** Whether it was answered before the router. */
  isFast?: boolean;
}

/** A server that records whether a request was answered before the router. */
const openLinks = async ({ app, context }: TestApp, redirect: Redirect = createRedirect(context)) => {
  const redirectFast = createFastRedirect(context, redirect);
  let isFast = false;
  const server = createServer((queried, response) => {
    isFast = redirectFast(queried, response);
    if (!isFast) app.routing(queried, response);
  });
  await once(server.listen(0, HERE), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ask: async ({ code }: { code: string }, { method = 'GET', headers = {}, rest = '' }: Ask = {}): Promise<Answer> => {
      const sent = request({ host: HERE, port, method, path: `/go/${code}${rest}`, headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return { status: response.statusCode!, headers: response.headers, isFast };
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
};

const test = useTestApp({ config: { trustedProxies: [HERE] } });
let partner: TestReferrer;
let link: TestLink;
beforeEach(async () => {
  partner = await buildReferrer(test);
  link = await partner.linkOf('mainchat');
  await test.context.partners.links.byCode(link.code);
});

const browser = { 'user-agent': BROWSER };
const returning = { ...browser, cookie: `a=b; parley_visitor=${newVisitorId(new Date(Date.now() - 48 * 3_600_000))}` };

/** Removes values that differ between responses. */
const PASSING = ['date', 'connection', 'keep-alive'];
const comparable = ({ status, headers }: Answer, { slug, code }: TestLink, cookie: string | undefined) => {
  const rest = Object.entries(headers).filter(([name]) => !PASSING.includes(name));
  const text = JSON.stringify([status, rest.map(([name, value]) => `${name}: ${value}`).toSorted()])
    .replaceAll(slug, 'SLUG')
    .replaceAll(code, 'CODE');
  return cookie ? text : text.replace(/parley_visitor=[0-9a-f-]{36}/, 'parley_visitor=NEW');
};

const storedOf = async ({ id }: TestLink, cookie: string | undefined) => {
  await test.context.services.partners.clicks.flush();
  const counted = await partner.scope.from('clicks').where('campaignId', '=', id).selectAll().execute();
  const uncounted = await partner.scope.from('uncountedClicks').where('campaignId', '=', id).selectAll().execute();
  return [...counted, ...uncounted].map(({ id: _, campaignId, visitorId, ...click }) => ({
    ...click,
    visitorId: cookie ? visitorId : 'NEW',
  }));
};

describe('a cached link', () => {
  it.each<[string, boolean, number, Ask]>([
    ['by a new visitor', true, 1, { headers: browser }],
    ['by a returning visitor', true, 1, { headers: returning }],
    ['from a page', true, 1, { headers: { ...returning, referer: `https://blog.example/${'x'.repeat(2000)}` } }],
    [
      'with a very long user agent',
      true,
      1,
      { headers: { ...returning, 'user-agent': `${BROWSER} ${'é'.repeat(600)}` } },
    ],
    ['behind a proxy', true, 1, { headers: { ...returning, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' } }],
    ['with a cookie of another site', true, 1, { headers: { ...browser, cookie: 'parley_visitor=x' } }],
    ['without headers', true, 1, {}],
    ['by a bot', true, 1, { headers: { 'user-agent': 'Googlebot/2.1' } }],
    ['as a prefetch', true, 1, { headers: { ...returning, 'sec-purpose': 'prefetch' } }],
    ['as an image', true, 1, { headers: { ...returning, 'sec-fetch-dest': 'image' } }],
    ['with UTM parameters', false, 1, { headers: returning, rest: '?utm_medium=mail&utm_term=%C3%A9&x=1' }],
    ['with malformed parameters', false, 1, { headers: returning, rest: '?utm_medium=%ff' }],
    ['with a slash', false, 1, { headers: returning, rest: '/' }],
    ['by HEAD', false, 1, { method: 'HEAD', headers: returning }],
    ['by POST', false, 0, { method: 'POST', headers: returning }],
    ['with an unknown code', false, 0, { headers: returning, rest: 'x' }],
  ])('gets the same response and click record as from the route when requested %s', async (_, isFast, clicks, ask) => {
    await using door = await openLinks(test);
    const [one, other] = [await partner.addLink(), await partner.addLink()];
    await test.context.partners.links.byCode(one.code);
    const { method = 'GET', headers = {}, rest = '' } = ask;
    const answer = await door.ask(one, ask);
    const injected = await test.app.inject({
      ...{ method, url: `/go/${other.code}${rest}`, remoteAddress: HERE },
      headers: { 'user-agent': '', ...headers },
    });
    const route = { status: injected.statusCode, headers: injected.headers };
    const { cookie } = headers;
    const isKnown = cookie?.includes('-') ? cookie : undefined;
    expect(answer.isFast).toBe(isFast);
    expect(comparable(answer, one, isKnown)).toBe(comparable(route, other, isKnown));
    const stored = await storedOf(one, isKnown);
    expect(stored).toHaveLength(clicks);
    expect(stored).toEqual(await storedOf(other, isKnown));
  });

  it('is left to the route during shutdown, which closes the connection', async () => {
    await using leaving = await startTestApp({ beside: test });
    await using door = await openLinks(leaving);
    await leaving.context.partners.links.byCode(link.code);
    expect(await door.ask(link, { headers: browser })).toMatchObject({ status: 302, isFast: true });
    leaving.context.stopping = true;
    const last = await door.ask(link, { headers: browser });
    expect(last).toMatchObject({ status: 302, isFast: false, headers: { connection: 'close' } });
  });

  it('requires HTTPS if configured and accepts the protocol header only from trusted proxies', async () => {
    const said = (proto: string): Ask => ({ headers: { ...browser, 'x-forwarded-proto': proto } });
    await using strict = await startTestApp({ beside: test, config: { requireHttps: true, trustedProxies: [HERE] } });
    await using behind = await openLinks(strict);
    await strict.context.partners.links.byCode(link.code);
    expect(await behind.ask(link, { headers: browser })).toMatchObject({ status: 403, isFast: false });
    expect(await behind.ask(link, said('http'))).toMatchObject({ status: 403, isFast: false });
    expect(await behind.ask(link, said('http, https'))).toMatchObject({ status: 302, isFast: false });
    expect(await behind.ask(link, said('https'))).toMatchObject({ status: 302, isFast: true });
    await using open = await startTestApp({ beside: test, config: { requireHttps: true } });
    await using alone = await openLinks(open);
    await open.context.partners.links.byCode(link.code);
    expect(await alone.ask(link, said('https'))).toMatchObject({ status: 403, isFast: false });
  });

  it('redirects while the database is unavailable', async () => {
    const proxy = await startDatabaseProxy(test.connection);
    await using beside = await startTestApp({ beside: test, connection: proxy.connection });
    await using door = await openLinks(beside);
    await beside.context.partners.links.byCode(link.code);
    await proxy.disconnect();
    expect(await door.ask(link, { headers: returning })).toMatchObject({ status: 302, isFast: true });
    expect(await door.ask({ code: 'unknown' }, { headers: returning })).toMatchObject({ status: 503, isFast: false });
    await proxy.reconnect();
    const flush = (): Promise<void> => beside.context.services.partners.clicks.flush().catch(flush);
    await flush();
    expect(await partner.clicks()).toHaveLength(1);
  });

  it('delays the response while the click buffer is full', async () => {
    const { promise: backpressure, resolve } = Promise.withResolvers<void>();
    const queried = Promise.withResolvers<void>();
    await using door = await openLinks(test, () => {
      queried.resolve();
      return { headers: { location: 'http://parley.test/' }, backpressure };
    });
    let isAnswered = false;
    const answer = door.ask(link, { headers: browser }).finally(() => {
      isAnswered = true;
    });
    await queried.promise;
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    resolve();
    expect(await answer).toMatchObject({ status: 302, isFast: true });
  });
});

it('serves cached and uncached links over one connection', async () => {
  await using listening = await startTestApp({ beside: test });
  await listening.app.listen({ port: 0, host: HERE });
  const follow = async () => {
    const url = `${listening.app.listeningOrigin}/go/${link.code}`;
    const { status, headers } = await fetch(url, { headers: browser, redirect: 'manual' });
    return [status, headers.get('connection'), headers.get('location')];
  };
  const landing = `http://parley.test/products/mainchat?a=${partner.id}&utm_campaign=${link.slug}`;
  expect(await follow()).toEqual([302, 'keep-alive', landing]);
  expect(await follow()).toEqual([302, 'keep-alive', landing]);
  await listening.context.services.partners.clicks.flush();
  expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([1, ['repeat']]);
});
