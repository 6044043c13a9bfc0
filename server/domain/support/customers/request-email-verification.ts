import { randomUUID } from 'node:crypto';
import { requireCustomer } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
import { lockCustomer } from './lock-customer.ts';

type Tx = Transaction<OrganizationScope>;

const HOUR_MS = 3600 * 1000;
export const VERIFICATION_LIFETIME_MS = 7 * 24 * HOUR_MS;
export const MAX_CALLBACKS = 10;

/** Anyone can enter any address, so mails are limited per address and per organization. */
const MAX_MAILS_PER_ADDRESS = 3;
const MAX_MAILS_PER_ORGANIZATION = 200;

/** Only the newest ten requests are called back, so older ones are deleted. */
const storeRequest = async (tx: Tx, customerId: string, email: string, callbackUri: string): Promise<void> => {
  const ofCustomer = tx.from('emailVerifications').where('customerId', '=', customerId).where('email', '=', email);
  await tx
    .insert('emailVerifications', { id: randomUUID(), customerId, email, callbackUri, createdAt: tx.now() })
    .execute();
  await tx
    .remove('emailVerifications')
    .where('customerId', '=', customerId)
    .where('id', 'in', ofCustomer.orderBy('number', 'desc').offset(MAX_CALLBACKS).select('id'))
    .execute();
};

/** Seconds until another mail may be sent; undefined if it may be sent now. */
const waitSeconds = async (tx: Tx, email: string): Promise<number | undefined> => {
  const now = tx.now().getTime();
  const recent = tx.from('emailLinks').where('createdAt', '>', new Date(now - HOUR_MS));
  const sent = recent.orderBy('createdAt', 'desc').select('createdAt');
  const [toAddress, byOrganization] = await Promise.all([
    sent
      .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', eb.fn<string>('lower', [eb.val(email)])))
      .offset(MAX_MAILS_PER_ADDRESS - 1)
      .executeTakeFirst(),
    sent.offset(MAX_MAILS_PER_ORGANIZATION - 1).executeTakeFirst(),
  ]);
  const waits = [toAddress, byOrganization].flatMap((row) => (row ? [row.createdAt.getTime() + HOUR_MS - now] : []));
  return waits.length > 0 ? Math.ceil(Math.max(...waits) / 1000) : undefined;
};

const hasLink = async (tx: Tx, customerId: string, email: string): Promise<boolean> =>
  (await tx
    .from('emailLinks')
    .where('customerId', '=', customerId)
    .where('email', '=', email)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tx.now())
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Sends a mail unless there were too many; then a link that was sent before is sufficient. */
const mailLink = async (tx: Tx, customerId: string, email: string): Promise<void> => {
  const retryAfterSeconds = await waitSeconds(tx, email);
  if (retryAfterSeconds !== undefined) {
    if (await hasLink(tx, customerId, email)) return;
    throw new DomainError('too_many_requests', 'Too many requests', { retryAfterSeconds });
  }
  const secret = randomSecret();
  const createdAt = tx.now();
  const expiresAt = new Date(createdAt.getTime() + VERIFICATION_LIFETIME_MS);
  await tx.remove('emailLinks').where('customerId', '=', customerId).where('expiresAt', '<=', createdAt).execute();
  await tx
    .insert('emailLinks', { id: tx.services.secrets.hash(secret), customerId, email, createdAt, expiresAt })
    .execute();
  tx.emit({ type: 'email_verification_requested', organizationId: tx.organizationId, email, secret });
};

/** Asks the customer by mail to confirm the address; `callbackUri` is called when they do. */
export const requestEmailVerification = async (
  scope: OrganizationScope,
  { callbackUri }: { callbackUri: string },
): Promise<void> => {
  const { id: customerId } = requireCustomer(scope.actor);
  if (!scope.services.installation.isAllowedUrl(callbackUri))
    throw invalid('callbackUri', 'must be a public http or https URL without credentials');
  await scope.transaction(async (tx) => {
    const { email, emailVerifiedAt } = await lockCustomer(tx, customerId);
    if (email === null) throw new DomainError('validation', 'The customer has no email address');
    if (emailVerifiedAt) {
      const { organizationId } = tx;
      const verified = { customerId, email, verifiedAt: emailVerifiedAt };
      tx.emit({ type: 'email_verified', organizationId, ...verified, callbackUris: [callbackUri] });
      return;
    }
    await storeRequest(tx, customerId, email, callbackUri);
    await mailLink(tx, customerId, email);
  });
};
