import { requireAgent } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { findDetails } from './details.ts';
import type { CustomerDetails } from './records.ts';
import { resolveCustomer } from './resolve-customer.ts';

const load = async (tx: Transaction<OrganizationScope>, customerId: string): Promise<CustomerDetails> => {
  const customer = await findDetails(tx, customerId);
  if (!customer) throw notFound('Customer');
  return customer;
};

/** Subscribes the agent to the customer's activity, regardless of the monitoring level. */
export const followCustomer = async (scope: OrganizationScope, input: { customerId: string }): Promise<void> => {
  const { id: agentId } = requireAgent(scope.actor);
  const { id: customerId } = resolveCustomer(scope.actor, input.customerId);
  await scope.transaction(async (tx) => {
    const customer = await load(tx, customerId);
    if (customer.followed) return;
    await tx
      .insert('customerFollowers', { customerId, agentId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { organizationId } = tx;
    tx.emit({
      type: 'customer_followed',
      organizationId,
      customerId,
      agentId,
      customer: { ...customer, followed: true },
    });
  });
};

/** Emits nothing if the agent did not follow the customer. */
export const unfollowCustomer = async (scope: OrganizationScope, input: { customerId: string }): Promise<void> => {
  const { id: agentId } = requireAgent(scope.actor);
  const { id: customerId } = resolveCustomer(scope.actor, input.customerId);
  await scope.transaction(async (tx) => {
    await load(tx, customerId);
    const { numDeletedRows } = await tx
      .remove('customerFollowers')
      .where('customerId', '=', customerId)
      .where('agentId', '=', agentId)
      .executeTakeFirst();
    const { organizationId } = tx;
    if (numDeletedRows > 0n) tx.emit({ type: 'customer_unfollowed', organizationId, customerId, agentId });
  });
};
