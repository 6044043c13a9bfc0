import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';
import { openDatabaseLink } from '#server/testing/app/database-link.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { BROWSER, buildReferrer, type TestLink, type TestReferrer } from '../../../testing/builders/click-links.ts';
import { createGoAtOnce } from './go-at-once.ts';
import { createSendOn, type SendOn } from './send-on.ts';

const HERE = '127.0.0.1';

interface Ask {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  /** Behind the code. */
  rest?: string;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  /** Whether the router was spared. */
  atOnce?: boolean;
}

/** A server that tells which way a request was answered. */
const openDoor = async ({ app, context }: TestApp, sendOn: SendOn = createSendOn(context)) => {
  const goAtOnce = createGoAtOnce(context, sendOn);
  let atOnce = false;
  const server = createServer((asked, response) => {
    atOnce = goAtOnce(asked, response);
    if (!atOnce) app.routing(asked, response);
  });
  await once(server.listen(0, HERE), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ask: async ({ code }: { code: string }, { method = 'GET', headers = {}, rest = '' }: Ask = {}): Promise<Answer> => {
      const sent = request({ host: HERE, port, method, path: `/go/${code}${rest}`, headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return { status: response.statusCode!, headers: response.headers, atOnce };
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
};

let test: TestApp;
let partner: TestReferrer;
let link: TestLink;
beforeAll(async () => {
  test = await startTestApp({ config: { trustedProxies: [HERE] } });
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  partner = await buildReferrer(test);
  link = await partner.linkOf('mainchat');
  await test.context.links.byCode(link.code);
});

const browser = { 'user-agent': BROWSER };
const known = { ...browser, cookie: `a=b; parley_visitor=${newVisitorId(new Date(Date.now() - 48 * 3_600_000))}` };

/** What differs from answer to answer, whoever gives it. */
const PASSING = ['date', 'connection', 'keep-alive'];
const comparable = ({ status, headers }: Answer, { slug, code }: TestLink, cookie: string | undefined) => {
  const rest = Object.entries(headers).filter(([name]) => !PASSING.includes(name));
  const text = JSON.stringify([status, rest.map(([name, value]) => `${name}: ${value}`).toSorted()])
    .replaceAll(slug, 'SLUG')
    .replaceAll(code, 'CODE');
  return cookie ? text : text.replace(/parley_visitor=[0-9a-f-]{36}/, 'parley_visitor=NEW');
};

const storedOf = async ({ id }: TestLink, cookie: string | undefined) => {
  await test.context.services.clicks.flush();
  const counted = await partner.scope.from('clicks').where('campaignId', '=', id).selectAll().execute();
  const uncounted = await partner.scope.from('uncountedClicks').where('campaignId', '=', id).selectAll().execute();
  return [...counted, ...uncounted].map(({ id: _, campaignId, visitorId, ...click }) => ({
    ...click,
    visitorId: cookie ? visitorId : 'NEW',
  }));
};

describe('a link that is known', () => {
  it.each<[string, boolean, number, Ask]>([
    ['by somebody new', true, 1, { headers: browser }],
    ['by somebody known', true, 1, { headers: known }],
    ['from a page', true, 1, { headers: { ...known, referer: `https://blog.example/${'x'.repeat(2000)}` } }],
    ['by a name without end', true, 1, { headers: { ...known, 'user-agent': `${BROWSER} ${'é'.repeat(600)}` } }],
    ['behind a proxy', true, 1, { headers: { ...known, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' } }],
    ['with a cookie that is none of ours', true, 1, { headers: { ...browser, cookie: 'parley_visitor=x' } }],
    ['by nobody', true, 1, {}],
    ['by a bot', true, 1, { headers: { 'user-agent': 'Googlebot/2.1' } }],
    ['ahead of time', true, 1, { headers: { ...known, 'sec-purpose': 'prefetch' } }],
    ['as a picture', true, 1, { headers: { ...known, 'sec-fetch-dest': 'image' } }],
    ['with marks', false, 1, { headers: known, rest: '?utm_medium=mail&utm_term=%C3%A9&x=1' }],
    ['with marks that cannot be read', false, 1, { headers: known, rest: '?utm_medium=%ff' }],
    ['with a slash', false, 1, { headers: known, rest: '/' }],
    ['by HEAD', false, 1, { method: 'HEAD', headers: known }],
    ['by POST', false, 0, { method: 'POST', headers: known }],
    ['that is another one', false, 0, { headers: known, rest: 'x' }],
  ])('is answered and noted as the route does when it is followed %s', async (_, atOnce, clicks, ask) => {
    await using door = await openDoor(test);
    const [one, other] = [await partner.addLink(), await partner.addLink()];
    await test.context.links.byCode(one.code);
    const { method = 'GET', headers = {}, rest = '' } = ask;
    const answer = await door.ask(one, ask);
    const injected = await test.app.inject({
      ...{ method, url: `/go/${other.code}${rest}`, remoteAddress: HERE },
      headers: { 'user-agent': '', ...headers },
    });
    const route = { status: injected.statusCode, headers: injected.headers };
    const { cookie } = headers;
    const isKnown = cookie?.includes('-') ? cookie : undefined;
    expect(answer.atOnce).toBe(atOnce);
    expect(comparable(answer, one, isKnown)).toBe(comparable(route, other, isKnown));
    const stored = await storedOf(one, isKnown);
    expect(stored).toHaveLength(clicks);
    expect(stored).toEqual(await storedOf(other, isKnown));
  });

  it('is left to the route while the server stops, and the connection ends', async () => {
    await using leaving = await startTestApp({ beside: test });
    await using door = await openDoor(leaving);
    await leaving.context.links.byCode(link.code);
    expect(await door.ask(link, { headers: browser })).toMatchObject({ status: 302, atOnce: true });
    leaving.context.stopping = true;
    const last = await door.ask(link, { headers: browser });
    expect(last).toMatchObject({ status: 302, atOnce: false, headers: { connection: 'close' } });
  });

  it('is followed over HTTPS only, where that is wanted, and whoever says so must be trusted', async () => {
    const said = (proto: string): Ask => ({ headers: { ...browser, 'x-forwarded-proto': proto } });
    await using strict = await startTestApp({ beside: test, config: { requireHttps: true, trustedProxies: [HERE] } });
    await using behind = await openDoor(strict);
    await strict.context.links.byCode(link.code);
    expect(await behind.ask(link, { headers: browser })).toMatchObject({ status: 403, atOnce: false });
    expect(await behind.ask(link, said('http'))).toMatchObject({ status: 403, atOnce: false });
    expect(await behind.ask(link, said('http, https'))).toMatchObject({ status: 302, atOnce: false });
    expect(await behind.ask(link, said('https'))).toMatchObject({ status: 302, atOnce: true });
    await using open = await startTestApp({ beside: test, config: { requireHttps: true } });
    await using alone = await openDoor(open);
    await open.context.links.byCode(link.code);
    expect(await alone.ask(link, said('https'))).toMatchObject({ status: 403, atOnce: false });
  });

  it('leads on while the database is away', async () => {
    const wire = await openDatabaseLink(test.connection);
    await using beside = await startTestApp({ beside: test, connection: wire.connection });
    await using door = await openDoor(beside);
    await beside.context.links.byCode(link.code);
    await wire.cut();
    expect(await door.ask(link, { headers: known })).toMatchObject({ status: 302, atOnce: true });
    expect(await door.ask({ code: 'unknown' }, { headers: known })).toMatchObject({ status: 503, atOnce: false });
    await wire.mend();
    const flush = (): Promise<void> => beside.context.services.clicks.flush().catch(flush);
    await flush();
    expect(await partner.clicks()).toHaveLength(1);
  });

  it('lets a visitor wait where too many come', async () => {
    const { promise: crowded, resolve } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await using door = await openDoor(test, () => {
      asked.resolve();
      return { headers: { location: 'http://parley.test/' }, crowded };
    });
    let isAnswered = false;
    const answer = door.ask(link, { headers: browser }).finally(() => {
      isAnswered = true;
    });
    await asked.promise;
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    resolve();
    expect(await answer).toMatchObject({ status: 302, atOnce: true });
  });
});

it('a server that listens answers links over one connection, known or not', async () => {
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
  await listening.context.services.clicks.flush();
  expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([1, ['repeat']]);
});
