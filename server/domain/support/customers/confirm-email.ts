import { CONFIRMATION_LIFETIME_MS } from '../../accounts/addresses/confirmations.ts';
import type { AddressClaim } from '../../accounts/addresses/records.ts';
import { invalidLink } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { lockCustomer } from './lock-customer.ts';
import { MAX_CALLBACKS } from './request-email-verification.ts';

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
  const since = tx.now().getTime() - CONFIRMATION_LIFETIME_MS;
  return newest[0] && newest[0].createdAt.getTime() > since ? newest.map(({ callbackUri }) => callbackUri) : [];
};

/** Verifies the address of a customer. If the customer's address has changed since the mail, the link is invalid. */
export const confirmEmail = async (
  tx: Transaction<OrganizationScope>,
  { subjectId: customerId, address: email }: Pick<AddressClaim, 'subjectId' | 'address'>,
): Promise<void> => {
  const customer = await lockCustomer(tx, customerId);
  if (customer.email !== email) throw invalidLink();
  const verifiedAt = customer.emailVerifiedAt ?? tx.now();
  await tx.update('customers').where('id', '=', customerId).set({ emailVerifiedAt: verifiedAt }).execute();
  const callbackUris = await takeCallbacks(tx, customerId, email);
  tx.emit({ type: 'email_verified', organizationId: tx.organizationId, customerId, email, verifiedAt, callbackUris });
};
