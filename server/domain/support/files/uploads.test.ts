import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import Fastify from 'fastify';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptUploads, readUpload } from '#server/http/multipart.ts';
import { toDomainError } from '#server/http/to-domain-error.ts';
import { openDiskStore } from '#server/ports/files/disk.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { PNG, pngOf } from '../../../testing/builders/file-contents.ts';
import type { Actor } from '../../access.ts';
import { MAX_FILE_BYTES } from '../../files/content-store.ts';
import { type OrganizationScope, openOrganizationScope } from '../../scope.ts';
import { filePath, readFileAddress, thumbnailPath } from './address.ts';
import { findFile, getSendableFile } from './find-file.ts';
import { markFilesUsed } from './mark-used.ts';
import { removeExpiredFiles } from './remove-expired.ts';
import { type NewFile, storeUpload } from './store-upload.ts';

const DAY = 24 * 3600 * 1000;
const test = useTestApp();
let ours: TestOrganization;
let theirs: TestOrganization;
let customer: OrganizationScope;
let directory: string;
let store: FileStore;

const as = (organization: TestOrganization, actor: Actor) =>
  openOrganizationScope(test.context.services, actor, organization.id);
const agentOf = ({ owner }: TestOrganization): Actor => ({
  kind: 'agent',
  id: owner.login,
  permission: 'owner',
  groupIds: [],
});

beforeAll(async () => {
  theirs = await buildOrganization(test);
});
beforeEach(async () => {
  ours = await buildOrganization(test);
  customer = as(ours, { kind: 'customer', id: (await buildCustomer(ours)).id });
  directory = await mkdtemp(join(tmpdir(), 'uploads-'));
  store = await openDiskStore(directory);
  return () => rm(directory, { recursive: true });
});

const upload = (file: Partial<NewFile> = {}, scope = customer) =>
  storeUpload(scope, store, {
    name: 'note.txt',
    declaredType: 'text/plain',
    content: Readable.from([Buffer.from('hello '), Buffer.from('there')]),
    ...file,
  });
const png = (bytes: Buffer, name = 'a.png') =>
  upload({ name, declaredType: 'image/png', content: Readable.from([bytes]) });
const listKept = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
const countRows = async ({ scope }: TestOrganization) => (await scope.from('files').selectAll().execute()).length;
const use = (fileId: string, organization = ours) =>
  markFilesUsed(test.context.database, [{ organizationId: organization.id, fileId, at: test.clock.now() }]);

describe('storing', () => {
  it('stores a text', async () => {
    const file = await upload();
    expect(file).toEqual({
      organizationId: ours.id,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      uploader: { kind: 'customer', id: (customer.actor as { id: string }).id },
      name: 'note.txt',
      contentType: 'text/plain',
      size: 11,
      downloadOnly: false,
      storageKey: expect.any(String),
      createdAt: test.clock.now(),
    });
    expect((await buffer((await store.read(file.storageKey))!.stream)).toString()).toBe('hello there');
    expect(await findFile(customer, file.id)).toEqual(file);
  });

  it('stores a photo without the place where it was taken', async () => {
    const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .jpeg()
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 13/1 0/1' } })
      .toBuffer();
    const file = await storeUpload(customer, store, {
      ...{ name: 'photo.jpg', declaredType: 'image/jpeg', content: Readable.from([photo]) },
    });
    const stored = await buffer((await store.read(file.storageKey))!.stream);
    expect(stored.length).toBe(file.size);
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 90, height: 60 });
    expect(await sharp(stored).metadata()).not.toHaveProperty('exif');
  });

  it('stores an image with two thumbnails', async () => {
    const file = await png(pngOf(800, 400));
    expect(file).toMatchObject({ contentType: 'image/png', image: { width: 800, height: 400 } });
    expect(await listKept()).toEqual([file.id, `${file.id}-200.webp`, `${file.id}-400.webp`]);
  });

  it.each([
    ['a decompression bomb', pngOf(50_000, 50_000, 10)],
    ['a script with an image signature', Buffer.from('GIF89a=1;alert(1)')],
  ])('keeps %s as a plain file', async (_, bytes) => {
    const file = await png(bytes);
    expect(file).toMatchObject({ contentType: 'application/octet-stream', size: bytes.length });
    expect(file.image).toBeUndefined();
    expect(await listKept()).toEqual([file.id]);
  });

  it('accepts exactly 10 MiB', async () => {
    const parts = (bytes: number) => Readable.from([Buffer.alloc(65_535), Buffer.alloc(bytes - 65_535)]);
    expect((await upload({ content: parts(MAX_FILE_BYTES) })).size).toBe(MAX_FILE_BYTES);
    const kept = await listKept();
    const content = parts(MAX_FILE_BYTES + 1);
    const refused = { code: 'too_large', message: 'Upload limit exceeded (10MB).' };
    await expect(upload({ content })).rejects.toMatchObject(refused);
    expect(content.destroyed).toBe(true);
    expect(await listKept()).toEqual(kept);
    expect(await countRows(ours)).toBe(1);
  });

  it('applies the same limit over HTTP', async () => {
    const app = Fastify();
    acceptUploads(app, () => true);
    app.setErrorHandler((error, _, reply) => reply.code(toDomainError(error).code === 'too_large' ? 413 : 500).send());
    app.post('/', async (request) => {
      const { fileName: name, ...file } = await readUpload(request, { maxBytes: MAX_FILE_BYTES });
      return filePath(await storeUpload(customer, store, { name, ...file }));
    });
    const post = async (bytes: number) => {
      const form = new FormData();
      form.append('file', new File([Buffer.alloc(bytes, 'x')], '../../x', { type: 'image/png' }));
      const body = new Response(form);
      const headers = { 'content-type': body.headers.get('content-type')! };
      return app.inject({ method: 'POST', url: '/', headers, payload: Buffer.from(await body.arrayBuffer()) });
    };
    expect((await post(MAX_FILE_BYTES)).body).toMatch(new RegExp(`^/files/${ours.id}/[0-9a-f]{32}/x$`));
    expect((await post(MAX_FILE_BYTES + 1)).statusCode).toBe(413);
    expect([(await listKept()).length, await countRows(ours)]).toEqual([1, 1]);
  });

  it.each([
    ['a program', { name: 'a.png.exe' }],
    ['nothing', { content: Readable.from([]) }],
    ['a script', { name: 'a.png', content: Readable.from([Buffer.from('#!/bin/sh')]) }],
  ])('rejects %s and stores nothing', async (_, file) => {
    await expect(upload(file)).rejects.toMatchObject({ code: 'validation' });
    expect([await listKept(), await countRows(ours)]).toEqual([[], 0]);
  });

  it('stores nothing of an interrupted upload', async () => {
    const breaking = (bytes: number) =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(bytes, 'x');
          throw new Error('connection reset');
        })(),
      );
    await expect(upload({ content: breaking(10) })).rejects.toThrow('connection reset');
    await expect(upload({ content: breaking(1_000_000) })).rejects.toThrow('connection reset');
    expect([await listKept(), await countRows(ours)]).toEqual([[], 0]);
  });

  it('leaves an expiring row when cleaning up fails', async () => {
    const full = {
      ...store,
      write: () => Promise.reject(new Error('disk full')),
      remove: () => Promise.reject(new Error('gone')),
    };
    await expect(
      storeUpload(customer, full, { name: 'a', declaredType: '', content: Readable.from([Buffer.from('x')]) }),
    ).rejects.toThrow('disk full');
    const [row] = await ours.scope.from('files').selectAll().execute();
    expect(await findFile(customer, row!.id)).toBeUndefined();
    await expect(use(row!.id)).rejects.toMatchObject({ code: 'validation' });
    test.clock.advance(DAY);
    expect(await removeExpiredFiles(ours.scope, store)).toBe(1);
  });

  it('is allowed for customers and agents', async () => {
    expect((await upload({}, as(ours, agentOf(ours)))).uploader).toEqual({ kind: 'agent', id: ours.owner.login });
    await expect(upload({}, ours.scope)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the URL of a file', () => {
  const publicUrl = 'https://chat.shop.test/parley';
  const read = (url: string) => readFileAddress({ url, publicUrl, organizationId: ours.id });

  it('identifies the file', async () => {
    const file = await upload({ name: '../../ä %2f?#.txt' });
    expect(filePath(file)).toBe(`/files/${ours.id}/${file.id}/%C3%A4%20%252f_%23.txt`);
    expect(read(publicUrl + filePath(file))).toBe(file.id);
  });

  it('is rejected when it is not ours', async () => {
    const file = await upload();
    const path = filePath(file);
    const foreign = path.replace(ours.id, theirs.id);
    const urls = [path, file.id, '', `https://evil.test/parley${path}`, `https://chat.shop.test${path}`];
    urls.push(
      `${publicUrl}@evil.test${path}`,
      publicUrl + foreign,
      `${publicUrl}/x/..${foreign}`,
      `${publicUrl}${path}/..`,
    );
    urls.push(publicUrl + thumbnailPath(file, 'thumbnail'), `${publicUrl}/files/${ours.id}/../x/${file.id}/a`);
    for (const url of urls) expect(() => read(url), url).toThrow(expect.objectContaining({ code: 'validation' }));
  });
});

describe('a file', () => {
  it('expires after a day unless an event uses it', async () => {
    const [unused, used] = [await upload(), await upload()];
    await use(used.id);
    test.clock.advance(DAY - 1);
    expect(await findFile(customer, unused.id)).toBeDefined();
    test.clock.advance(1);
    expect(await findFile(customer, unused.id)).toBeUndefined();
    expect(await findFile(customer, used.id)).toBeDefined();
    await expect(use(unused.id)).rejects.toMatchObject({ code: 'validation' });
    await use(used.id);
  });

  it('is accessible only in its organization', async () => {
    const file = await upload();
    expect(await findFile(theirs.scope, file.id)).toBeUndefined();
    await expect(use(file.id, theirs)).rejects.toMatchObject({ code: 'validation' });
    expect(await findFile(customer, "' or true --")).toBeUndefined();
  });

  it('can be sent by the customer who uploaded it or by an agent', async () => {
    const file = await upload();
    const other = as(ours, { kind: 'customer', id: (await buildCustomer(ours)).id });
    expect(await getSendableFile(customer, file.id)).toEqual(file);
    expect(await getSendableFile(as(ours, agentOf(ours)), file.id)).toEqual(file);
    await expect(getSendableFile(other, file.id)).rejects.toMatchObject({ code: 'validation' });
    await expect(getSendableFile(as(theirs, agentOf(theirs)), file.id)).rejects.toMatchObject({ code: 'validation' });
  });

  it('is marked as used with the transaction, many at a time', async () => {
    const [one, two] = [await upload(), await upload()];
    const uses = [one, two, one].map(({ id }) => ({ organizationId: ours.id, fileId: id, at: test.clock.now() }));
    const undone = ours.scope.transaction(async (tx) => {
      await markFilesUsed(tx.executor, uses);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect((await findFile(customer, one.id))!.usedAt).toBeUndefined();
    await ours.scope.transaction((tx) => markFilesUsed(tx.executor, uses));
    expect((await findFile(customer, two.id))!.usedAt).toEqual(test.clock.now());
  });
});

describe('removing expired files', () => {
  it('deletes rows and contents once, and nothing else', async () => {
    await png(PNG);
    await upload({ name: 'a.txt' });
    const used = await upload();
    await use(used.id);
    test.clock.advance(DAY);
    const young = await upload();
    const removed = await Promise.all([removeExpiredFiles(ours.scope, store), removeExpiredFiles(ours.scope, store)]);
    expect(removed.reduce((sum, count) => sum + count)).toBe(2);
    expect(await removeExpiredFiles(ours.scope, store)).toBe(0);
    expect(await listKept()).toEqual([used.id, young.id].sort());
  });

  it('retries failed deletions', async () => {
    const file = await upload();
    test.clock.advance(DAY);
    const failing = { ...store, remove: () => Promise.reject(new Error('disk')) };
    await expect(removeExpiredFiles(ours.scope, failing)).rejects.toThrow('disk');
    expect(await listKept()).toEqual([file.id]);
    expect(await removeExpiredFiles(ours.scope, store)).toBe(1);
    expect(await listKept()).toEqual([]);
  });

  it('does not delete a file that is being used concurrently', async () => {
    const file = await upload();
    await ours.scope.transaction(async (tx) => {
      await markFilesUsed(tx.executor, [{ organizationId: ours.id, fileId: file.id, at: test.clock.now() }]);
      test.clock.advance(DAY);
      expect(await removeExpiredFiles(ours.scope, store)).toBe(0);
    });
    expect(await findFile(customer, file.id)).toBeDefined();
  });
});
