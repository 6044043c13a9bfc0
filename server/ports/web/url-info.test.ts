import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { cleanUp, startReceiver } from '../../testing/http/web-receiver.ts';
import { createWeb } from './safe-fetch.ts';
import { readUrlInfo } from './url-info.ts';

interface Page {
  type?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  status?: number;
}

const startSite = async (pages: Record<string, Page>) => {
  const port = await startReceiver(({ url }, response) => {
    const { type = 'text/html', body, headers, status = 200 } = pages[url!] ?? { status: 404 };
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  const web = createWeb({ allowPrivate: true });
  cleanUp(() => web.close());
  const origin = `http://127.0.0.1:${port}`;
  return { origin, read: (path: string) => readUrlInfo(web, `${origin}${path}`) };
};

const paint = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } }).png();

it('reads the title, description and image of a page', async () => {
  const body = `<title>Plain</title><meta property="og:title" content="Fish &amp; Chips">
    <meta name="description" content=" Fried\n daily. \u202e"><meta property="og:image" content="img/fish.png?a=1&amp;b=2">`;
  const { origin, read } = await startSite({
    '/old': { status: 302, headers: { location: '/menu/' } },
    '/menu/': { body },
    '/menu/img/fish.png?a=1&b=2': { type: 'image/png', body: await paint(1000, 500).toBuffer() },
  });
  const info = await read('/old');
  expect(info).toMatchObject({
    url: `${origin}/menu/`,
    title: 'Fish & Chips',
    description: 'Fried daily.',
    image: { originalUrl: `${origin}/menu/img/fish.png?a=1&b=2`, width: 400, height: 200, contentType: 'image/webp' },
  });
  expect(await sharp(info!.image!.bytes).metadata()).toMatchObject({ format: 'webp', width: 400, height: 200 });
});

it('omits what a page does not declare', async () => {
  const { origin, read } = await startSite({
    '/title': { body: '<title>Only a title</title><meta property=og:title content="">' },
    '/none': { body: '' },
  });
  expect(await read('/title')).toEqual({ url: `${origin}/title`, title: 'Only a title' });
  expect(await read('/none')).toEqual({ url: `${origin}/none` });
});

it('truncates long text without splitting a character', async () => {
  const { read } = await startSite({
    '/': { body: `<title>x${'😀'.repeat(1000)}</title>`, type: 'text/html;charset=utf-8' },
  });
  const { title } = (await read('/'))!;
  expect(title).toBe(`x${'😀'.repeat(149)}`);
});

it('reads only the beginning of a page', async () => {
  const filling = ' '.repeat(512 * 1024);
  const { origin, read } = await startSite({
    '/': { body: `<title>Early</title>${filling}<meta name=description content=late>` },
  });
  expect(await read('/')).toEqual({ url: `${origin}/`, title: 'Early' });
});

it.each([
  ['the header', 'text/html; charset=windows-1251', '<title>', 'cff0e8e2e5f2'],
  ['a quoted header', 'text/html;charset="KOI8-R"', '<title>', 'f0d2c9d7c5d4'],
  ['a tag', 'text/html', '<meta charset=windows-1251><title>', 'cff0e8e2e5f2'],
  [
    'an http-equiv tag',
    'text/html',
    '<meta http-equiv=Content-Type content="text/html; charset=koi8-r"><title>',
    'f0d2c9d7c5d4',
  ],
  ['nothing', 'text/html', '<title>', 'd09fd180d0b8d0b2d0b5d182'],
  ['an unknown charset', 'text/html; charset=klingon', '<title>', 'd09fd180d0b8d0b2d0b5d182'],
  ['a tag that contradicts the encoding', 'text/html', '<meta charset=utf-16><title>', 'd09fd180d0b8d0b2d0b5d182'],
])('detects the charset by %s', async (_name, type, before, bytes) => {
  const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes, 'hex'), Buffer.from('</title>')]);
  const { read } = await startSite({ '/': { type, body } });
  expect((await read('/'))?.title).toBe('Привет');
});

it('prefers the byte order mark over the declared charset', async () => {
  const body = Buffer.from('\ufeff<title>Žluťoučký</title>', 'utf16le');
  const { read } = await startSite({ '/': { type: 'text/html; charset=latin1', body } });
  expect((await read('/'))?.title).toBe('Žluťoučký');
});

it('uses an image URL as the image, rotated upright and without metadata', async () => {
  const photo = await paint(60, 30)
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Artist: 'Ann' } })
    .jpeg()
    .toBuffer();
  const { origin, read } = await startSite({ '/photo': { type: 'image/jpeg', body: photo } });
  const { url, image } = (await read('/photo'))!;
  expect(url).toBe(`${origin}/photo`);
  expect(image).toMatchObject({ originalUrl: `${origin}/photo`, width: 30, height: 60 });
  expect(await sharp(image!.bytes).metadata()).not.toHaveProperty('exif');
});

it('opens every common image format', async () => {
  for (const kind of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
    const body = await paint(20, 10).toFormat(kind).toBuffer();
    const { read } = await startSite({ '/': { type: `image/${kind}`, body } });
    expect((await read('/'))?.image, kind).toMatchObject({ width: 20, height: 10 });
  }
});

it('keeps the first frame of an animation', async () => {
  const frames = await Promise.all(
    ['#f00', '#00f'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const { read } = await startSite({ '/moving': { type: 'image/gif', body: moving } });
  const { image } = (await read('/moving'))!;
  const { data } = await sharp(image!.bytes).raw().toBuffer({ resolveWithObject: true });
  expect(image).toMatchObject({ width: 8, height: 8 });
  expect([data[0]! > 200, data[2]! < 50]).toEqual([true, true]);
  expect((await sharp(image!.bytes).metadata()).pages ?? 1).toBe(1);
});

it('omits an image that is invalid, broken, too large or not allowed', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
  const png = await paint(20, 20).toBuffer();
  const huge = await sharp({ create: { width: 5001, height: 5000, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const pictures: Record<string, Page> = {
    '/svg': { type: 'image/svg+xml', body: svg },
    '/svg-as-png': { type: 'image/png', body: svg },
    '/svg-as-gif': { type: 'image/gif', body: `GIF89a${svg}` },
    '/svg-as-avif': { type: 'image/avif', body: `<!--ftypavif-->${svg}` },
    '/broken': { type: 'image/png', body: png.subarray(0, 40) },
    '/empty': { type: 'image/png', body: '' },
    '/huge': { type: 'image/png', body: huge },
    '/heavy': { type: 'image/png', body: Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]) },
    '/html': { body: '<title>x</title>' },
    '/gzip': { type: 'image/png', body: gzipSync(png), headers: { 'content-encoding': 'gzip' } },
    '/gone': { status: 410, type: 'image/png', body: png },
    '/elsewhere': { status: 302, headers: { location: 'file:///etc/passwd' } },
  };
  const addresses = [
    ...Object.keys(pictures),
    'data:image/png;base64,AAAA',
    'http://[',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
  ];
  const pages = Object.fromEntries(
    addresses.map((address, index) => [
      `/${index}`,
      { body: `<title>Page</title><meta name=og:image content="${address}">` },
    ]),
  );
  const { origin, read } = await startSite({ ...pictures, ...pages });
  for (const index of addresses.keys())
    expect(await read(`/${index}`), addresses[index]).toEqual({ url: `${origin}/${index}`, title: 'Page' });
});

it('returns nothing for other content types', async () => {
  const { read } = await startSite({
    '/pdf': { type: 'application/pdf', body: '<title>x</title>' },
    '/gzip': { body: gzipSync('<title>x</title>'), headers: { 'content-encoding': 'gzip' } },
    '/failed': { status: 500, body: '<title>x</title>' },
    '/broken': { type: 'image/png', body: 'x' },
    '/loop': { status: 301, headers: { location: '/loop' } },
  });
  for (const path of ['/pdf', '/gzip', '/failed', '/broken', '/loop', '/missing'])
    expect(await read(path)).toBeUndefined();
});

it('does not reveal addresses that are not allowed', async () => {
  const { origin } = await startSite({ '/': { body: '<title>secret</title>' } });
  const web = createWeb({ allowPrivate: false });
  for (const url of [origin, 'not an address', 'ftp://8.8.8.8/']) expect(await readUrlInfo(web, url)).toBeUndefined();
});
