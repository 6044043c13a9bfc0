import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '#server/storage/tables/index.ts';
import type { Clock } from '../../../clock.ts';
import type { ContentStore } from '../../../files/content-store.ts';
import { fingerprintOf } from './fingerprint.ts';
import { splitAddress } from './mail-address.ts';

export interface MailIntake {
  db: Kysely<Tables>;
  store: ContentStore;
  clock: Clock;
  mailDomain?: string | undefined;
  maxBytes: number;
}

export interface ReceivedMail {
  raw: Buffer;
  /** Empty for automatic mails that accept no answer. */
  envelopeFrom: string;
  recipients: string[];
}

const MAX_ENVELOPE_CHARACTERS = 320;

/** The account of an address: by its number at our domain, or by its own address. */
export const findMailOwner = async (
  { db, mailDomain }: Pick<MailIntake, 'db' | 'mailDomain'>,
  address: string,
): Promise<string | undefined> => {
  const { base, host } = splitAddress(address);
  const accounts = db.selectFrom('organizations').where('status', '<>', 'blocked').select('id');
  const isNumber = host !== '' && host === mailDomain && /^\d{1,15}$/.test(base);
  const found = isNumber
    ? accounts.where('licenseNumber', '=', Number(base))
    : accounts.where('mailAddress', '=', `${base}@${host}`);
  return (await found.executeTakeFirst())?.id;
};

const cleanEnvelope = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, MAX_ENVELOPE_CHARACTERS);

const storeMail = async (
  { db, store, clock, maxBytes }: MailIntake,
  organizationId: string,
  { raw, envelopeFrom, recipients }: ReceivedMail,
): Promise<void> => {
  const receivedAt = clock.now();
  const fingerprint = fingerprintOf(raw, receivedAt);
  const existing = await db
    .selectFrom('incomingMails')
    .where('organizationId', '=', organizationId)
    .where('fingerprint', '=', fingerprint)
    .select('id')
    .executeTakeFirst();
  if (existing) return;
  const id = randomUUID();
  const storageKey = `${organizationId}/mail/${id.slice(0, 2)}/${id}`;
  await store.write(storageKey, oneChunk(raw), { maxBytes });
  const written = await db
    .insertInto('incomingMails')
    .values({
      organizationId,
      id,
      fingerprint,
      envelopeFrom: cleanEnvelope(envelopeFrom),
      recipients: recipients.map(cleanEnvelope),
      size: raw.length,
      storageKey,
      receivedAt,
      nextAttemptAt: receivedAt,
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'fingerprint']).doNothing())
    .returning('id')
    .executeTakeFirst();
  // The same mail arrived twice concurrently.
  if (!written) await store.remove(storageKey);
};

const oneChunk = async function* (bytes: Buffer): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
};

/**
 * Stores a mail once for each recipient account and returns their number. It is parsed later, so that a mail that was
 * accepted is never lost.
 */
export const receiveMail = async (intake: MailIntake, mail: ReceivedMail): Promise<number> => {
  const byOwner = new Map<string, string[]>();
  for (const recipient of mail.recipients) {
    const owner = await findMailOwner(intake, recipient);
    if (owner) byOwner.set(owner, [...(byOwner.get(owner) ?? []), recipient]);
  }
  for (const [organizationId, recipients] of byOwner) await storeMail(intake, organizationId, { ...mail, recipients });
  return byOwner.size;
};
