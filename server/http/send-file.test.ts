import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDiskStore } from '#server/ports/files/disk.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import { contentDisposition, readRange, type SentFile, sendFile } from './send-file.ts';

const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251));
let app: FastifyInstance;
let store: FileStore;
let directory: string;
let file: SentFile;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'send-'));
  store = await openDiskStore(directory);
  await store.write('content', Readable.from([CONTENT]), { maxBytes: 1000 });
  app = Fastify();
  app.addHook('onRequest', async (_, reply) => void reply.header('cache-control', 'no-store'));
  app.get('/file', (request, reply) => sendFile(request, reply, file));
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  file = {
    name: 'photo.png',
    contentType: 'image/png',
    size: CONTENT.length,
    downloadOnly: false,
    tag: 'abc',
    maxAgeSeconds: 60,
    read: (range) => store.read('content', range),
  };
});

const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: '/file', headers });

it('serves an image inline with safe headers', async () => {
  const response = await get();
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload.equals(CONTENT)).toBe(true);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': '1000',
    'content-disposition': `inline; filename="photo.png"; filename*=UTF-8''photo.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'private, max-age=60, immutable',
    'accept-ranges': 'bytes',
    etag: '"abc"',
  });
});

it.each([
  ['text/html', false],
  ['image/svg+xml', true],
  ['application/xml', true],
  ['application/pdf', false],
  ['text/plain', false],
  ['text/javascript', false],
  ['image/png', true],
  ['image/png\r\nx: y', false],
])('serves %s as a download without a type', async (contentType, downloadOnly) => {
  Object.assign(file, { contentType, downloadOnly });
  expect((await get()).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment; /),
  });
});

describe('the file name', () => {
  it('is encoded', () => {
    expect(contentDisposition('attachment', `ä "50%" (it's*).png`)).toBe(
      `attachment; filename="_ _50__ (it's*).png"; filename*=UTF-8''%C3%A4%20%2250%25%22%20%28it%27s%2A%29.png`,
    );
  });

  it('cannot inject headers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const value = contentDisposition('inline', name);
        expect(value).toMatch(/^inline; filename="[^"\\\P{ASCII}\p{Cc}]*"; filename\*=UTF-8''[\w.!~%-]*$/u);
        expect(decodeURIComponent(value.split("''").at(-1)!)).toBe(name.toWellFormed());
      }),
    );
  });
});

describe('a range request', () => {
  it('returns the same bytes as a buffer slice', async () => {
    const bound = fc.option(fc.nat(1200), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(bound, bound, async (from, to) => {
        const response = await get({ range: `bytes=${from ?? ''}-${to ?? ''}` });
        const last = from === undefined ? 999 : Math.min(to ?? 999, 999);
        const start = from ?? (to === undefined ? 1000 : Math.max(0, 1000 - to));
        if (start > last) {
          expect([response.statusCode, response.headers['content-range']]).toEqual([416, 'bytes */1000']);
          expect(response.rawPayload.length).toBe(0);
        } else {
          expect(response.statusCode).toBe(206);
          expect(response.headers['content-range']).toBe(`bytes ${start}-${last}/1000`);
          expect(response.headers['content-length']).toBe(String(last + 1 - start));
          expect(response.rawPayload.equals(CONTENT.subarray(start, last + 1))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['bytes=abc', 'unsatisfiable'],
    ['bytes=1-2-3', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=0-1,5-6', undefined],
    ['items=0-1', undefined],
    ['', undefined],
  ])('with the header %j is read as %s', (header, range) => {
    expect(readRange(header, 1000)).toBe(range);
  });

  it('is answered with the whole file if the content has changed', async () => {
    expect((await get({ range: 'bytes=0-1', 'if-range': '"abc"' })).statusCode).toBe(206);
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).statusCode).toBe(200);
    expect((await get({ range: 'bytes=0-1', 'if-range': 'W/"abc"' })).statusCode).toBe(200);
  });
});

it.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])('sends no body to a client that has %s', async (etag) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const response = await get({ 'if-none-match': etag }, method);
    expect([response.statusCode, response.rawPayload.length]).toEqual([304, 0]);
    expect(response.headers.etag).toBe('"abc"');
  }
  expect((await get({ 'if-none-match': '"abcd"' })).statusCode).toBe(200);
});

it('answers HEAD without reading the file', async () => {
  file.read = () => Promise.reject(new Error('read'));
  const response = await get({ range: 'bytes=0-1' }, 'HEAD');
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({ 'content-length': '1000', 'content-type': 'image/png' });
  expect(response.rawPayload.length).toBe(0);
});

it('responds without a body if the content is missing', async () => {
  file.read = async () => undefined;
  expect((await get()).json()).toMatchObject({ code: 'not_found' });
});

it('stops reading when the client disconnects', async () => {
  const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) });
  Object.assign(file, { size: Number.MAX_SAFE_INTEGER, read: async () => ({ stream: endless }) });
  const closed = new Promise<void>((resolve) => endless.once('close', resolve));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const request = httpRequest({ port: (app.server.address() as AddressInfo).port, path: '/file' });
  request.on('error', () => {}).on('response', (response) => response.once('data', () => request.destroy()));
  request.end();
  await closed;
});
