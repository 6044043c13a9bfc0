import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanMail } from './clean-mail.ts';
import type { Mail, MailTransport } from './mail.ts';

export interface StoredMail {
  id: string;
  at: Date;
  mail: Mail;
}

/** Stores the newest emails as files instead of sending them, for development and for installations without SMTP. */
export interface Outbox extends MailTransport {
  /** Newest first. */
  list(): Promise<StoredMail[]>;
  read(id: string): Promise<StoredMail | undefined>;
}

// Time, sequence and random part: sorting by name sorts by age, and no id can be guessed or leave the folder.
const ID = /^\d{13}-\d{9}-[0-9a-f]{32}$/;
const STALE_AFTER = 60_000;

interface OutboxOptions {
  directory: string;
  keep?: number;
  now?: () => Date;
}

export const createOutbox = async ({
  directory,
  keep = 500,
  now = () => new Date(),
}: OutboxOptions): Promise<Outbox> => {
  // Emails contain sign-in links, so only the owner may read them.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeUnfinished(directory);
  let sequence = 0;

  const fileOf = (id: string) => join(directory, `${id}.json`);

  const listIds = async () =>
    (await readdir(directory))
      .map((name) => name.replace(/\.json$/, ''))
      .filter((id) => ID.test(id))
      .sort()
      .reverse();

  const read = async (id: string): Promise<StoredMail | undefined> => {
    if (!ID.test(id)) return undefined;
    try {
      return { id, at: new Date(Number(id.slice(0, 13))), mail: JSON.parse(await readFile(fileOf(id), 'utf8')) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

  return {
    async send(mail) {
      const content = JSON.stringify(cleanMail(mail), null, 2);
      const time = String(now().getTime()).padStart(13, '0');
      const id = `${time}-${String(sequence++).padStart(9, '0')}-${randomBytes(16).toString('hex')}`;
      const unfinished = join(directory, `${id}.unfinished`);
      await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
      await rename(unfinished, fileOf(id));
      for (const old of (await listIds()).slice(keep)) await rm(fileOf(old), { force: true });
    },
    // Files that another process has just deleted are skipped.
    list: async () => (await Promise.all((await listIds()).map(read))).filter((kept) => kept !== undefined),
    read,
    async close() {},
  };
};

/** Leftovers of a crash. A recent one may be in use by another process. */
const removeUnfinished = async (directory: string) => {
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.unfinished')) continue;
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > STALE_AFTER) await rm(path, { force: true });
  }
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
