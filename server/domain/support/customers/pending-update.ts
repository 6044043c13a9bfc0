import type { PendingUpdate } from '#server/storage/tables/customers.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { reachGoalsByFields } from '../goals/reach-goals.ts';
import { loadCustomer } from './get-customer.ts';
import { hasActiveChat, holdCustomer } from './hold-customer.ts';

type Tx = Transaction<OrganizationScope>;

export const announceUpdate = async (tx: Tx, customerId: string): Promise<void> =>
  tx.emit({
    type: 'customer_updated',
    organizationId: tx.organizationId,
    customerId,
    customer: await loadCustomer(tx, customerId),
  });

/** Another address has yet to be verified. What is `waiting` goes on to. */
export const applyUpdate = async (
  tx: Tx,
  customerId: string,
  { sessionFields, ...update }: PendingUpdate,
  known: { email: string | null },
  waiting: PendingUpdate = {},
): Promise<void> => {
  await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({
      ...update,
      ...(sessionFields ? { sessionFields: JSON.stringify(sessionFields) } : {}),
      ...(update.email === undefined || update.email === known.email ? {} : { emailVerifiedAt: null }),
      pending: Object.keys(waiting).length === 0 ? null : JSON.stringify(waiting),
    })
    .execute();
  if (sessionFields) await reachGoalsByFields(tx, customerId);
  await announceUpdate(tx, customerId);
};

/** A chat of the customer has just ended: what waited for the last one takes effect. Its row is held already. */
export const applyPendingUpdate = async (tx: Tx, customerId: string): Promise<void> => {
  const { pending, email } = await holdCustomer(tx, customerId);
  if (pending && !(await hasActiveChat(tx, customerId))) await applyUpdate(tx, customerId, pending, { email });
};
