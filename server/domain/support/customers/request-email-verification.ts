import { randomUUID } from 'node:crypto';
import { requireCustomer } from '../../access.ts';
import { assertMayMail } from '../../accounts/addresses/assert-may-mail.ts';
import { mailConfirmation } from '../../accounts/addresses/confirmations.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { lockCustomer } from './lock-customer.ts';

type Tx = Transaction<OrganizationScope>;

export const MAX_CALLBACKS = 10;

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

const hasLink = async (tx: Tx, customerId: string, address: string): Promise<boolean> =>
  (await tx.db
    .selectFrom('addressConfirmations')
    .where('ownerId', '=', tx.organizationId)
    .where('kind', '=', 'customer')
    .where('subjectId', '=', customerId)
    .where('address', '=', address)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tx.now())
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Sends a mail unless there were too many; then a link that was sent before is sufficient. */
const mailLink = async (tx: Tx, customerId: string, address: string): Promise<void> => {
  await assertMayMail(tx);
  const claim = { kind: 'customer', ownerId: tx.organizationId, subjectId: customerId, address } as const;
  await mailConfirmation(tx, claim).catch(async (error: unknown) => {
    const isLimited = error instanceof DomainError && error.code === 'too_many_requests';
    if (!isLimited || !(await hasLink(tx, customerId, address))) throw error;
  });
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
