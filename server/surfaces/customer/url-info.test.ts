import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWeb } from '#server/ports/web/safe-fetch.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';

const WEEK = 7 * 24 * 3600 * 1000;

let answer: RequestListener;
let requests: string[];
const site = createServer((request, response) => {
  requests.push(request.url!);
  answer(request, response);
});
const base = () => `http://shop.test:${(site.address() as AddressInfo).port}`;

let test: TestApp;
let organization: TestOrganization;
let customer: TestCustomer;
beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  // All hosts of this test resolve to one local server that counts as public.
  const previews = createWeb({ allowPrivate: false, lookup: async () => ['127.0.0.1'], isPublic: () => true });
  test = await startTestApp({ previews });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  site.close();
});
beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  requests = [];
  answer = page;
});

const page: RequestListener = async (request, response) => {
  if (request.url === '/picture.png') {
    const background = { r: 10, g: 200, b: 30 };
    const picture = sharp({ create: { width: 800, height: 600, channels: 3, background } });
    response.writeHead(200, { 'content-type': 'image/png' }).end(await picture.png().toBuffer());
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      '<title>Shoes</title><meta name="description" content="Red ones"><meta property="og:image" content="/picture.png">',
    );
};

const getUrlInfo = async (url: string, app = test, by = customer) => {
  const response = await app.app.inject({
    method: 'POST',
    url: `/v3.5/customer/action/get_url_info?organization_id=${organization.id}`,
    headers: { authorization: `Bearer ${by.token}` },
    payload: { url },
  });
  return { status: response.statusCode, body: response.json() };
};

const refused = {
  status: 400,
  body: {
    error: {
      type: 'validation',
      message: '`url` must be the URL of a public page',
      data: { fields: [{ field: 'url', message: 'must be the URL of a public page' }] },
    },
  },
};

describe('get_url_info', () => {
  it('returns the metadata of the page and a thumbnail of its image', async () => {
    const { status, body } = await getUrlInfo(`${base()}/shoes#top`);
    expect(status).toBe(200);
    expect(body).toEqual({
      title: 'Shoes',
      description: 'Red ones',
      image_url: expect.stringMatching(/^http:\/\/parley\.test\/url-images\//),
      image_original_url: `${base()}/picture.png`,
      image_width: 400,
      image_height: 300,
      url: `${base()}/shoes`,
    });
    const image = await test.app.inject({ url: new URL(body.image_url).pathname });
    expect(image.statusCode).toBe(200);
    expect(image.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': expect.stringContaining('immutable'),
    });
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 400, height: 300 });
  });

  it('fetches a page at most once a week', async () => {
    const first = await getUrlInfo(`${base()}/`);
    expect(await getUrlInfo(`${base()}/`)).toEqual(first);
    expect(requests).toEqual(['/', '/picture.png']);
    test.clock.advance(WEEK);
    customer = await buildCustomer(organization);
    await getUrlInfo(`${base()}/`);
    expect(requests).toHaveLength(4);
  });

  it('caches briefly that a page has nothing to show', async () => {
    answer = (_, response) => void response.writeHead(404).end();
    expect(await getUrlInfo(`${base()}/`)).toEqual(refused);
    expect(await getUrlInfo(`${base()}/`)).toEqual(refused);
    expect(requests).toHaveLength(1);
    answer = page;
    test.clock.advance(10 * 60 * 1000);
    expect(await getUrlInfo(`${base()}/`)).toMatchObject({ status: 200 });
  });

  it('caches per organization', async () => {
    await getUrlInfo(`${base()}/`);
    organization = await buildOrganization(test);
    await getUrlInfo(`${base()}/`, test, await buildCustomer(organization));
    expect(requests).toHaveLength(4);
  });

  it('fetches a page once in concurrent requests, and limits concurrent fetches', async () => {
    const open: (() => void)[] = [];
    let arrived = () => {};
    const four = new Promise<void>((resolve) => {
      arrived = () => open.length === 4 && resolve();
    });
    answer = (_, response) => {
      open.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow</title>'));
      arrived();
    };
    const waiting = [1, 1, 2, 3, 4].map((n) => getUrlInfo(`${base()}/${n}`));
    await four;
    expect(await getUrlInfo(`${base()}/5`)).toMatchObject({
      status: 429,
      body: { error: { type: 'too_many_requests' } },
    });
    for (const finish of open) finish();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect(requests.toSorted()).toEqual(['/1', '/2', '/3', '/4']);
  });

  it('does not disclose why a URL cannot be shown, and does not request private addresses', async () => {
    await using strict = await startTestApp({ beside: test, config: { allowPrivateWebhooks: true } });
    const { port } = site.address() as AddressInfo;
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
    ])
      expect(await getUrlInfo(url, strict)).toEqual(refused);
    expect(requests).toEqual([]);
  });

  it.each(['ftp://shop.test/', 'javascript:alert(1)', 'shop', ''])('rejects %j', async (url) => {
    expect(await getUrlInfo(url)).toMatchObject({ status: 400, body: { error: { type: 'validation' } } });
  });
});

describe('a thumbnail', () => {
  it.each(['x.webp', `${'0'.repeat(32)}.webp`, `${'0'.repeat(32)}.png`, '..%2f..%2fsecret'])(
    'is not found: %s',
    async (name) => {
      const response = await test.app.inject({ url: `/url-images/${organization.id}/${name}` });
      expect(response.statusCode).toBe(404);
    },
  );
});
