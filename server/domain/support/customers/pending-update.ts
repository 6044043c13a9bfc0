import type { PendingUpdate } from '#server/storage/tables/customers.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { reachGoalsByFields } from '../goals/reach-goals.ts';
import { loadCustomer } from './get-customer.ts';
import { hasActiveChat, lockCustomer } from './lock-customer.ts';

type Tx = Transaction<OrganizationScope>;

export const emitCustomerUpdated = async (tx: Tx, customerId: string): Promise<void> =>
  tx.emit({
    type: 'customer_updated',
    organizationId: tx.organizationId,
    customerId,
    customer: await loadCustomer(tx, customerId),
  });

/** Applies an update. A new email address is unverified. `waiting` stays pending. */
export const applyUpdate = async (
  tx: Tx,
  customerId: string,
  { sessionFields, ...update }: PendingUpdate,
  current: { email: string | null },
  waiting: PendingUpdate = {},
): Promise<void> => {
  await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({
      ...update,
      ...(sessionFields ? { sessionFields: JSON.stringify(sessionFields) } : {}),
      ...(update.email === undefined || update.email === current.email ? {} : { emailVerifiedAt: null }),
      pendingUpdate: Object.keys(waiting).length === 0 ? null : JSON.stringify(waiting),
    })
    .execute();
  if (update.name !== undefined || update.email !== undefined)
    await enqueueProjection(tx, 'archive_search', [`customer:${customerId}`]);
  if (sessionFields) await reachGoalsByFields(tx, customerId);
  await emitCustomerUpdated(tx, customerId);
};

/** Applies updates that were deferred until the last chat ended. The customer's row is already locked. */
export const applyPendingUpdate = async (tx: Tx, customerId: string): Promise<void> => {
  const { pendingUpdate, email } = await lockCustomer(tx, customerId);
  if (pendingUpdate && !(await hasActiveChat(tx, customerId)))
    await applyUpdate(tx, customerId, pendingUpdate, { email });
};
