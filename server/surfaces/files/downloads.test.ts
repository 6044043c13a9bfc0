import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { filePath, thumbnailPath } from '#server/domain/support/files/address.ts';
import { markFilesUsed } from '#server/domain/support/files/mark-used.ts';
import type { FileRecord } from '#server/domain/support/files/records.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { customerScope } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { pngOf } from '#server/testing/builders/file-contents.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
});

const store = (content: Buffer | string, name: string, declaredType = '') =>
  storeUpload(customerScope(organization, customer), test.context.ports.files, {
    name,
    declaredType,
    content: Readable.from([Buffer.from(content)]),
  });
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  test.app.inject({ method, url, headers });
const use = ({ organizationId, id }: FileRecord) =>
  markFilesUsed(test.context.database, [{ organizationId, fileId: id, at: test.clock.now() }]);

describe('a download', () => {
  it('requires no credential and forbids browsers to interpret the content', async () => {
    const file = await store('hello', 'note.txt');
    const response = await get(filePath(file), { origin: 'https://shop.test' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('hello');
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '5',
      'content-disposition': `attachment; filename="note.txt"; filename*=UTF-8''note.txt`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cache-control': 'private, max-age=300, immutable',
      etag: `"${file.id}"`,
    });
    await use(file);
    expect((await get(filePath(file))).headers['cache-control']).toBe('private, max-age=31536000, immutable');
  });

  it.each([
    ['page.html', '<html><script>alert(1)</script></html>', 'text/html'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
    ['photo.png', '<!doctype html><script>alert(1)</script>', 'image/png'],
  ])('of %s is never executed by a browser', async (name, content, type) => {
    const { headers } = await get(filePath(await store(content, name, type)));
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toMatch(/^attachment;/);
  });

  it('of an image and its thumbnails is displayed inline', async () => {
    const content = pngOf(800, 400);
    const file = await store(content, 'photo.png', 'image/png');
    const whole = await get(filePath(file));
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^inline;/),
    });
    expect(whole.rawPayload.equals(content)).toBe(true);
    const tags = new Set([whole.headers.etag]);
    for (const size of ['thumbnail', 'thumbnail2x'] as const) {
      const url = thumbnailPath(file, size);
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(response.rawPayload.length),
      });
      expect(response.rawPayload.subarray(8, 12).toString()).toBe('WEBP');
      expect((await get(url, { range: 'bytes=8-11' })).body).toBe('WEBP');
      expect((await get(url, { 'if-none-match': String(response.headers.etag) })).statusCode).toBe(304);
      expect((await get(url, {}, 'HEAD')).headers['content-length']).toBe(String(response.rawPayload.length));
      tags.add(response.headers.etag);
    }
    expect(tags.size).toBe(3);
  });

  it('supports range requests, HEAD and caching', async () => {
    const file = await store('0123456789', 'digits.txt');
    const url = filePath(file);
    const part = await get(url, { range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    const beyond = await get(url, { range: 'bytes=10-' });
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
    const head = await get(url, {}, 'HEAD');
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10']);
    const cached = await get(url, { 'if-none-match': `"${file.id}"` });
    expect([cached.statusCode, cached.body]).toEqual([304, '']);
  });

  it('is found by its id, regardless of the name in the URL', async () => {
    const file = await store('hello', 'Zażółć 😀.txt');
    expect((await get(filePath(file))).headers['content-disposition']).toContain('%F0%9F%98%80.txt');
    expect((await get(filePath(file).replace(/[^/]+$/, 'other'))).body).toBe('hello');
  });

  it('is not found at any other URL', async () => {
    const file = await store('hello', 'note.txt');
    const { id } = await buildOrganization(test);
    const path = filePath(file);
    const paths = [
      path.replace(organization.id, id),
      path.replace(organization.id, 'x'),
      path.replace(organization.id, `urn:uuid:${organization.id}`),
      path.replace(file.id, 'x'),
      path.replace(file.id, '0'.repeat(32)),
      thumbnailPath(file, 'thumbnail'),
      `/files/${organization.id}`,
      `${path}/more/and/more`,
      `/files/..%2f..%2fetc/passwd/x`,
    ];
    for (const url of paths) {
      const response = await get(url);
      expect([response.statusCode, response.json().error.type], url).toEqual([404, 'not_found']);
    }
    expect((await get(path, {}, 'POST')).statusCode).toBe(405);
  });
});
