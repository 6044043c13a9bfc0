import type { Executor } from '#server/storage/executor.ts';
import { findEmailLink } from '#server/storage/platform.ts';
import { DomainError } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services, type Transaction } from '../../scope.ts';
import { lockCustomer } from './lock-customer.ts';
import { MAX_CALLBACKS, VERIFICATION_LIFETIME_MS } from './request-email-verification.ts';

const invalidLink = (): DomainError => new DomainError('not_found', 'This link is no longer valid.');

/** Marks the link as used. Of concurrent requests only one succeeds. */
const consumeLink = async (tx: Transaction<OrganizationScope>, id: Buffer) => {
  const now = tx.now();
  const link = await tx
    .update('emailLinks')
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .set({ usedAt: now })
    .returning(['customerId', 'email'])
    .executeTakeFirst();
  if (!link) throw invalidLink();
  return link;
};

/** Returns and deletes the pending callbacks, which expire together seven days after the last request. */
const takeCallbacks = async (
  tx: Transaction<OrganizationScope>,
  customerId: string,
  email: string,
): Promise<string[]> => {
  const requests = await tx
    .remove('emailVerifications')
    .where('customerId', '=', customerId)
    .where('email', '=', email)
    .returning(['callbackUri', 'createdAt', 'number'])
    .execute();
  const newest = requests.toSorted((one, other) => other.number - one.number).slice(0, MAX_CALLBACKS);
  const since = tx.now().getTime() - VERIFICATION_LIFETIME_MS;
  return newest[0] && newest[0].createdAt.getTime() > since ? newest.map(({ callbackUri }) => callbackUri) : [];
};

/**
 * Verifies an email address by the secret from a mail. If the customer's address has changed since, the link is
 * invalid.
 */
export const confirmEmail = async (executor: Executor, services: Services, secret: string): Promise<void> => {
  const id = services.secrets.hash(secret);
  const owner = await findEmailLink(executor, id);
  if (!owner) throw invalidLink();
  const scope = openOrganizationScope(services, { kind: 'system' }, owner.organizationId);
  await scope.transaction(async (tx) => {
    const { customerId, email } = await consumeLink(tx, id);
    const customer = await lockCustomer(tx, customerId);
    if (customer.email !== email) throw invalidLink();
    const verifiedAt = customer.emailVerifiedAt ?? tx.now();
    await tx.update('customers').where('id', '=', customerId).set({ emailVerifiedAt: verifiedAt }).execute();
    const callbackUris = await takeCallbacks(tx, customerId, email);
    tx.emit({ type: 'email_verified', organizationId: tx.organizationId, customerId, email, verifiedAt, callbackUris });
  });
};
