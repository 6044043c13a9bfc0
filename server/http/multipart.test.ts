import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDiskStore } from '#server/ports/files/disk.ts';
import { acceptUploads, readUpload } from './multipart.ts';
import { toDomainError } from './to-domain-error.ts';

const LIMITS = { maxBytes: 1024 * 1024 };
let app: FastifyInstance;
let directory: string;
/** The outcome of each upload, whether or not the client got a response. */
let outcomes: Promise<unknown>[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'multipart-'));
  const store = await openDiskStore(directory);
  outcomes = [];
  app = Fastify();
  acceptUploads(app, ({ url }) => url !== '/other');
  app.setErrorHandler((thrown, _, reply) => {
    const { code, message } = toDomainError(thrown);
    return reply.code(code === 'too_large' ? 413 : code === 'internal' ? 500 : 400).send({ code, message });
  });
  app.post('/upload', (request) => {
    const outcome = (async () => {
      const { fileName, declaredType, content } = await readUpload(request, LIMITS);
      const { size } = await store.write('kept', content, LIMITS);
      return { fileName, declaredType, size };
    })();
    outcomes.push(outcome.catch((error) => error));
    return outcome;
  });
  app.post('/late', async (request) => {
    const { content } = await readUpload(request, LIMITS);
    await new Promise<void>((resolve) => content.once('close', resolve));
    return text(content);
  });
  app.post('/unwanted', async (request) => {
    (await readUpload(request, LIMITS)).content.destroy();
    return { unwanted: true };
  });
  app.post('/other', async () => ({}));
  return app.ready().then(() => undefined);
});
afterEach(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

const listKept = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const formOf = (...parts: [field: string, value: string | File][]) => {
  const form = new FormData();
  for (const [field, value] of parts) form.append(field, value as File);
  return form;
};
const fileOf = (content: string | Buffer, name = 'a.txt', type = 'text/plain') =>
  new File([content as never], name, { type });

const post = async (body: FormData | Buffer | Readable, contentType?: string, url = '/upload') => {
  const encoded = body instanceof FormData ? new Response(body) : undefined;
  const type = contentType ?? encoded?.headers.get('content-type');
  const payload = encoded ? Buffer.from(await encoded.arrayBuffer()) : (body as Buffer | Readable);
  const response = await app.inject({ method: 'POST', url, payload, headers: type ? { 'content-type': type } : {} });
  return { status: response.statusCode, ...response.json() };
};
const TYPE = 'multipart/form-data; boundary=xyz';
const part = (headers: string, content = 'words') => `--xyz\r\n${headers}\r\n\r\n${content}\r\n`;
const FILE = part('Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain');
const raw = (...parts: string[]) => post(Buffer.from(parts.join('')), TYPE);

describe('an upload', () => {
  it('is accepted under any field name', async () => {
    const kept = { status: 200, fileName: 'a.txt', declaredType: 'text/plain', size: 5 };
    expect(await post(formOf(['file', fileOf('words')]))).toEqual(kept);
    expect(await post(formOf(['payload', fileOf('words')]))).toEqual(kept);
    expect(await post(formOf(['chat', 'X'], ['file', fileOf('words')], ['more', 'y']))).toEqual(kept);
    expect(await raw('preamble\r\n', FILE, '--xyz--\r\n', 'epilogue')).toEqual(kept);
  });

  it('keeps its file name', async () => {
    expect(await post(formOf(['file', fileOf('x', '../../ä.txt')]))).toMatchObject({ fileName: '../../ä.txt' });
    const encoded = part(`Content-Disposition: form-data; name="file"; filename*=UTF-8''%e2%82%ac.txt`);
    expect(await raw(encoded, '--xyz--')).toMatchObject({ fileName: '€.txt', status: 200 });
  });

  it('may have exactly the maximum size, in chunks of any size', async () => {
    const body = Buffer.from(await new Response(formOf(['file', fileOf(Buffer.alloc(LIMITS.maxBytes))])).arrayBuffer());
    const boundary = body.subarray(2, body.indexOf('\r\n')).toString();
    const pieces = Readable.from(
      Array.from({ length: Math.ceil(body.length / 999) }, (_, at) => body.subarray(at * 999, (at + 1) * 999)),
    );
    expect(await post(pieces, `multipart/form-data; boundary=${boundary}`)).toMatchObject({
      status: 200,
      size: LIMITS.maxBytes,
    });
  });
});

describe('rejects', () => {
  it.each([
    ['another content type', 'application/json', '{}'],
    ['a missing boundary', 'multipart/form-data', FILE],
    ['an empty boundary', 'multipart/form-data; boundary=', FILE],
    ['a boundary that is too long', `multipart/form-data; boundary=${'x'.repeat(2000)}`, FILE],
    ['the boundary of another body', 'multipart/form-data; boundary=abc', FILE],
    ['an empty body', TYPE, ''],
    ['a body without parts', TYPE, '--xyz--\r\n'],
    ['a body that ends within a file', TYPE, FILE.slice(0, -4)],
    ['a body that ends after a file', TYPE, FILE],
    ['a body that ends within a header', TYPE, FILE.slice(0, 40)],
    ['a field instead of a file', TYPE, `${part('Content-Disposition: form-data; name="file"')}--xyz--`],
    ['two files', TYPE, `${FILE}${FILE}--xyz--`],
    ['a part without a header', TYPE, `${part('')}--xyz--`],
    ['too many fields', TYPE, `${FILE}${part('Content-Disposition: form-data; name="x"').repeat(50)}--xyz--`],
    [
      'too much data before the file',
      TYPE,
      `${part('Content-Disposition: form-data; name="x"').repeat(50)}${FILE}--xyz--`,
    ],
    ['a header that is too long', TYPE, `${part(`X: ${'y'.repeat(20_000)}\r\n${FILE.slice(7, 80)}`)}--xyz--`],
    ['a file name that is too long', TYPE, `${FILE.replace('a.txt', 'a'.repeat(5000))}--xyz--`],
    ['a header without an end', TYPE, `--xyz\r\nX: ${'y'.repeat(200_000)}`],
    ['a line break in the name', TYPE, `${FILE.replace('a.txt', 'a\n.txt')}--xyz--`],
  ])('%s', async (_, type, body) => {
    expect(await post(Buffer.from(body), type)).toMatchObject({ status: 400, code: 'validation' });
    expect(await listKept()).toEqual([]);
  });

  it('a body that is far too long, with or without a content length', async () => {
    const form = formOf(['file', fileOf(Buffer.alloc(2 * LIMITS.maxBytes))]);
    const refused = { status: 413, code: 'too_large', message: 'Upload limit exceeded (10MB).' };
    expect(await post(form)).toEqual(refused);
    const endless = Readable.from(
      (function* () {
        yield Buffer.from(FILE.slice(0, -2));
        for (let at = 0; at < 200; at++) yield Buffer.alloc(65_536);
      })(),
    );
    expect(await post(endless, TYPE)).toEqual(refused);
    expect(await listKept()).toEqual([]);
  });

  it('multipart bodies where no upload is accepted', async () => {
    expect(await post(formOf(['file', fileOf('x')]), undefined, '/other')).toMatchObject({ status: 400 });
  });

  it('any damaged body without crashing', async () => {
    const whole = Buffer.from(`${part('Content-Disposition: form-data; name="x"')}${FILE}--xyz--\r\n`);
    const damage = fc.tuple(fc.nat(whole.length), fc.nat(20), fc.uint8Array({ maxLength: 20 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(damage, async ([at, length, bytes, ends]) => {
        const body = Buffer.concat([
          whole.subarray(0, at),
          bytes,
          ends ? Buffer.alloc(0) : whole.subarray(at + length),
        ]);
        expect([200, 400]).toContain((await post(body, TYPE)).status);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an upload over a real connection', () => {
  let port: number;
  beforeEach(async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
  });

  const open = (path: string, length?: number): ClientRequest =>
    httpRequest({
      port,
      path,
      method: 'POST',
      headers: { 'content-type': TYPE, ...(length ? { 'content-length': length } : {}) },
    });
  const answered = (request: ClientRequest) =>
    new Promise<number>((resolve, reject) => {
      request.on('error', reject).on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
      });
    });

  it('stores nothing if the client disconnects', async () => {
    const arrived = new Promise<void>((resolve) => app.server.once('request', () => resolve()));
    const request = open('/upload', 500_000);
    request.on('error', () => {});
    request.write(FILE + 'x'.repeat(100_000));
    await arrived;
    request.destroy();
    await expect.poll(() => outcomes.length).toBe(1);
    expect(await outcomes[0]).toMatchObject({ code: 'validation' });
    expect(await listKept()).toEqual([]);
  });

  it('gets a response while it is still sending, and the connection can be reused', async () => {
    for (const path of ['/upload', '/unwanted']) {
      const request = open(path);
      const status = answered(request);
      request.write(FILE);
      for (let at = 0; at < 40; at++) request.write(Buffer.alloc(65_536));
      request.end(`\r\n--xyz--`);
      expect(await status).toBe(path === '/upload' ? 413 : 200);
    }
  });

  it('keeps an error for a reader that starts late', async () => {
    const request = open('/late');
    const status = answered(request);
    request.end(FILE + FILE);
    expect(await status).toBe(400);
  });
});
