import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDiskStore } from './disk.ts';
import { type FileStore, FileTooLargeError, InvalidFileKeyError } from './files.ts';

let directory: string;
let store: FileStore;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'));
  store = await openDiskStore(directory);
});
afterEach(() => rm(directory, { recursive: true }));

const limits = { maxBytes: 1024 };
const bytes = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const listFiles = async () => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
};

const readText = async (key: string, range?: { start: number; end: number }) => {
  const file = await store.read(key, range);
  return file && { size: file.size, text: await text(file.stream) };
};

it('returns what was written', async () => {
  expect(await store.write('ab/cdef.png', bytes('first ', 'second'), limits)).toEqual({ size: 12 });
  expect(await readText('ab/cdef.png')).toEqual({ size: 12, text: 'first second' });
  expect(await listFiles()).toEqual(['cdef.png']);
});

it('stores an empty file and one of many chunks', async () => {
  await store.write('empty', bytes(), limits);
  expect(await readText('empty')).toEqual({ size: 0, text: '' });
  const chunks = Array.from({ length: 64 }, (_, index) => Buffer.alloc(65_537, index));
  await store.write('large', Readable.from(chunks), { maxBytes: 64 * 65_537 });
  const large = await store.read('large');
  expect((await buffer(large!.stream)).equals(Buffer.concat(chunks))).toBe(true);
});

it('returns a range as HTTP counts it', async () => {
  await store.write('ab/c', bytes('0123456789'), limits);
  expect(await readText('ab/c', { start: 2, end: 4 })).toEqual({ size: 10, text: '234' });
  expect(await readText('ab/c', { start: 8, end: 99 })).toEqual({ size: 10, text: '89' });
  expect(await readText('ab/c', { start: 10, end: 12 })).toEqual({ size: 10, text: '' });
  for (const range of [
    { start: 4, end: 2 },
    { start: -1, end: 2 },
    { start: 0.5, end: 2 },
    { start: Number.NaN, end: 2 },
  ]) {
    await expect(store.read('ab/c', range)).rejects.toThrow(RangeError);
  }
});

it('replaces a file atomically while the old one is being read', async () => {
  await store.write('ab/c', bytes('earlier'), limits);
  const earlier = await store.read('ab/c');
  await store.write('ab/c', bytes('later'), limits);
  expect(await text(earlier!.stream)).toBe('earlier');
  expect(await readText('ab/c')).toEqual({ size: 5, text: 'later' });
});

it('accepts exactly the limit and leaves nothing of a larger file', async () => {
  await store.write('ab/exact', bytes('12345'), { maxBytes: 5 });
  const content = bytes('12345', '6', '7');
  await expect(store.write('ab/beyond', content, { maxBytes: 5 })).rejects.toThrow(FileTooLargeError);
  expect(content.destroyed).toBe(true);
  expect(await listFiles()).toEqual(['exact']);
});

it('leaves nothing of an interrupted upload and keeps the existing file', async () => {
  await store.write('ab/c', bytes('whole'), limits);
  const failing = (async function* () {
    yield Buffer.from('part');
    throw new Error('connection reset');
  })();
  await expect(store.write('ab/c', failing, limits)).rejects.toThrow('connection reset');
  const aborted = new Readable({ read() {} });
  aborted.push('part');
  const writing = store.write('ab/d', aborted, limits);
  aborted.destroy();
  await expect(writing).rejects.toThrow();
  expect(await listFiles()).toEqual(['c']);
  expect(await readText('ab/c')).toEqual({ size: 5, text: 'whole' });
});

it('leaves nothing if the file cannot be moved into place', async () => {
  await store.write('ab/c', bytes('whole'), limits);
  await expect(store.write('ab', bytes('a folder stands here'), limits)).rejects.toThrow();
  await expect(store.write('ab/c/d', bytes('a file stands here'), limits)).rejects.toThrow();
  expect(await listFiles()).toEqual(['c']);
});

it('finds nothing for missing and removed files', async () => {
  await store.write('ab/c', bytes('text'), limits);
  expect(await store.read('ab/x')).toBeUndefined();
  expect(await store.read('ab/c/x')).toBeUndefined();
  expect(await store.read('ab')).toBeUndefined();
  await store.remove('ab/c');
  await store.remove('ab/c');
  expect(await store.read('ab/c')).toBeUndefined();
});

it('rejects every key that could leave the folder', async () => {
  const keys = [
    '',
    '.',
    '..',
    '../outside',
    'ab/../../outside',
    '/etc/passwd',
    'ab//c',
    'ab/',
    '/ab',
    'ab/./c',
    'ab\\c',
  ];
  keys.push('ab/c\0', 'ab/c\n', '.unfinished/x', 'ab/.hidden', 'ab/%2e%2e', 'é', 'x'.repeat(201));
  for (const key of keys) {
    await expect(store.read(key)).rejects.toThrow(InvalidFileKeyError);
    await expect(store.remove(key)).rejects.toThrow(InvalidFileKeyError);
    await expect(store.write(key, bytes('text'), limits)).rejects.toThrow(InvalidFileKeyError);
  }
});

it('removes leftovers of a crash but not files being written', async () => {
  const [stale, recent] = [join(directory, '.unfinished', 'stale'), join(directory, '.unfinished', 'recent')];
  await writeFile(stale, 'part');
  await writeFile(recent, 'part');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(stale, anHourAgo, anHourAgo);
  await openDiskStore(directory);
  expect(await listFiles()).toEqual(['recent']);
});

it('makes files unreadable for other users of the machine', async () => {
  await store.write('ab/c', bytes('text'), limits);
  expect((await stat(join(directory, 'ab', 'c'))).mode & 0o077).toBe(0);
});
