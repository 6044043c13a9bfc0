import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';

const test = useTestApp();
beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
});

const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ method: 'GET', url, headers });

const policyOf = async (url: string, headers?: Record<string, string>) => {
  const policy = String((await get(url, headers)).headers['content-security-policy']);
  return new Map(policy.split('; ').map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)]));
};

const PAGES = ['/console', '/console/', '/console/index.html', '/console/chats/ABC', '/console/team/alma@shop.test'];

describe('the console', () => {
  it.each(PAGES)('serves its page at %s without caching or framing', async (url) => {
    const page = await get(url);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(page.body).toContain('<div id="root">');
  });

  it('allows only its own scripts, and styles with a nonce per response', async () => {
    const policy = await policyOf('/console');
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    expect(policy.get('form-action')).toEqual(["'self'"]);
    expect(policy.get('require-trusted-types-for')).toEqual(["'script'"]);
    expect(policy.get('trusted-types')).toEqual(['default']);
    expect([...policy.values()].flat().join(' ')).not.toMatch(/unsafe|\*/);
    const [one, other] = [await get('/console'), await get('/console')];
    const nonceOf = ({ headers }: typeof one) =>
      /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))![1]!;
    expect(nonceOf(one)).not.toBe(nonceOf(other));
    expect(one.body).toContain(`nonce="${nonceOf(one)}"`);
    expect(one.body).not.toContain('__NONCE__');
    // The page contains nothing that its content security policy would block.
    expect(one.body).not.toMatch(/<script(?![^>]* src=)| style=| on\w+=/);
  });

  it('allows connections to this server only, under any of its host names', async () => {
    const own = 'ws://parley.test';
    expect((await policyOf('/console', { host: 'parley.test' })).get('connect-src')).toEqual(["'self'", own]);
    const elsewhere = await policyOf('/console', { host: 'localhost:4000' });
    expect(elsewhere.get('connect-src')).toEqual(["'self'", own, 'ws://localhost:4000']);
    for (const host of ['a b', "x'; script-src *", 'a;b', 'a,b'])
      expect((await policyOf('/console', { host })).get('connect-src')).toEqual(["'self'", own]);
  });

  it('serves immutable assets, compressed if the browser accepts it', async () => {
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec((await get('/console')).body)![1]!;
    const plain = await get(script);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const packed = await get(script, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    const cached = await get(script, { 'if-none-match': String(plain.headers.etag) });
    expect([cached.statusCode, cached.body]).toEqual([304, '']);
  });
});

describe('paths outside the build', () => {
  const OUTSIDE = [
    '/console/assets/nothing.js',
    '/console/assets/../../../package.json',
    '/console/assets/%2e%2e/%2e%2e/package.json',
    '/console/assets/..%2f..%2f..%2fpackage.json',
    '/console/assets/%2fetc%2fpasswd',
    '/widget/nothing.js',
    '/widget/../console/index.html',
    '/widget/..%2f..%2fpackage.json',
    '/widget/%2e%2e%2f%2e%2e%2fserver%2fmain.ts',
    '/widget/..%5c..%5cpackage.json',
  ];

  /** Sends the path unchanged; HTTP clients would normalize it. */
  const askFor = async (path: string) => {
    const { hostname, port } = new URL(test.app.listeningOrigin);
    const [response] = (await once(request({ hostname, port, path }).end(), 'response')) as [IncomingMessage];
    return { status: response.statusCode, type: response.headers['content-type'], body: await text(response) };
  };

  it.each(OUTSIDE)('return a 404 page: %s', async (path) => {
    const { status, type, body } = await askFor(path);
    expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(body).toContain('Page not found');
  });

  it('never return source files', async () => {
    for (const url of ['/console/package.json', '/console/.env', '/console/src/main.tsx'])
      expect((await get(url)).body).toContain('<div id="root">');
  });

  it.each(['/console', '/console/chats', '/widget.js', '/widget/app.js'])('reject writes: %s', async (url) => {
    const refused = await test.app.inject({ method: 'POST', url });
    expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the widget', () => {
  it('can be loaded by other sites and is cached briefly', async () => {
    const loader = await get('/widget.js');
    expect(loader.statusCode).toBe(200);
    expect(loader.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });
});
