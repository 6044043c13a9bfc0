import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Mail, MailRejectedError } from './mail.ts';
import { createOutbox } from './outbox.ts';

let directory: string;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'outbox-')), 'outbox');
});
afterEach(() => rm(join(directory, '..'), { recursive: true }));

const now = () => new Date('2026-03-01T12:00:00Z');
const mail: Mail = {
  from: { name: 'Parley', address: 'parley@example.com' },
  to: { address: 'ann@example.com' },
  subject: 'Welcome',
  text: 'Hello Ann',
};

it('stores emails and lists the newest first, also within one millisecond', async () => {
  const outbox = await createOutbox({ directory, now });
  for (const subject of ['one', 'two', 'three']) await outbox.send({ ...mail, subject });
  const kept = await outbox.list();
  expect(kept.map((entry) => entry.mail.subject)).toEqual(['three', 'two', 'one']);
  expect(kept[0]).toEqual({ id: expect.any(String), at: now(), mail: { ...mail, subject: 'three' } });
  expect(await outbox.read(kept[0]!.id)).toEqual(kept[0]);
});

it('shows emails of other processes in the same folder', async () => {
  const [writer, reader] = [await createOutbox({ directory, now }), await createOutbox({ directory, now })];
  await writer.send(mail);
  expect(await reader.list()).toEqual(await writer.list());
});

it('keeps a limited number of complete files with owner permissions', async () => {
  const outbox = await createOutbox({ directory, keep: 3, now });
  await Promise.all(Array.from({ length: 20 }, (_, index) => outbox.send({ ...mail, subject: `number ${index}` })));
  expect(await readdir(directory)).toHaveLength(3);
  expect((await outbox.list()).map((entry) => entry.mail.subject)).toEqual(['number 19', 'number 18', 'number 17']);
  expect((await stat(directory)).mode & 0o077).toBe(0);
  for (const name of await readdir(directory)) expect((await stat(join(directory, name))).mode & 0o077).toBe(0);
});

it('reads only its own files', async () => {
  const outbox = await createOutbox({ directory, now });
  await outbox.send(mail);
  const [kept] = await outbox.list();
  await writeFile(join(directory, '..', 'secret.json'), '{}');
  await writeFile(join(directory, 'note.json'), '{}');
  for (const id of [
    '',
    '../secret',
    'note',
    '..',
    `../outbox/${kept!.id}`,
    `${kept!.id}\0`,
    `${kept!.id}\n`,
    '/etc/passwd',
  ]) {
    expect(await outbox.read(id)).toBeUndefined();
  }
  expect(await outbox.read(kept!.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBeUndefined();
  expect(await outbox.list()).toHaveLength(1);
});

it('rejects what the mail server would reject', async () => {
  const outbox = await createOutbox({ directory, now });
  await expect(outbox.send({ ...mail, to: { address: 'ann' } })).rejects.toThrow(MailRejectedError);
  expect(await outbox.list()).toEqual([]);
});

it('removes leftovers of a crash', async () => {
  await createOutbox({ directory, now });
  const left = join(directory, 'left.unfinished');
  await writeFile(left, 'part');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(left, anHourAgo, anHourAgo);
  await createOutbox({ directory, now });
  expect(await readdir(directory)).toEqual([]);
});
