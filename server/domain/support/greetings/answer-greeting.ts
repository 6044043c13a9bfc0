import { sql } from 'kysely';
import { requireCustomer } from '../../access.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { lockCustomer } from '../customers/lock-customer.ts';

type Tx = Transaction<OrganizationScope>;

/** Customers can access only their own greetings. */
const getDisplay = async (tx: Tx, customerId: string, uniqueId: string) => {
  await lockCustomer(tx, customerId);
  const display = await tx
    .from('greetingDisplays')
    .where('id', '=', uniqueId)
    .where('customerId', '=', customerId)
    .select(['greetingId', 'acceptedAt', 'canceledAt'])
    .executeTakeFirst();
  if (!display) throw new DomainError('greeting_not_found', 'Greeting not found');
  return display;
};

/** Accepts a greeting. A canceled greeting stays canceled, and accepting twice has no effect. */
export const acceptGreeting = (
  scope: OrganizationScope,
  { greetingId, uniqueId }: { greetingId: number; uniqueId: string },
): Promise<void> => {
  const { id: customerId } = requireCustomer(scope.actor);
  return scope.transaction(async (tx) => {
    const display = await getDisplay(tx, customerId, uniqueId);
    if (display.greetingId !== greetingId) throw new DomainError('greeting_not_found', 'Greeting not found');
    if (display.acceptedAt || display.canceledAt) return;
    await tx.update('greetingDisplays').where('id', '=', uniqueId).set({ acceptedAt: tx.now() }).execute();
    await tx
      .update('customers')
      .where('id', '=', customerId)
      .set({ greetingsAcceptedCount: sql<number>`greetings_accepted_count + 1` })
      .execute();
    tx.emit({ type: 'greeting_accepted', organizationId: tx.organizationId, customerId, uniqueId });
  });
};

/** Cancels a greeting, whether or not it was accepted. */
export const cancelGreeting = (scope: OrganizationScope, { uniqueId }: { uniqueId: string }): Promise<void> => {
  const { id: customerId } = requireCustomer(scope.actor);
  return scope.transaction(async (tx) => {
    const display = await getDisplay(tx, customerId, uniqueId);
    if (display.canceledAt) return;
    await tx.update('greetingDisplays').where('id', '=', uniqueId).set({ canceledAt: tx.now() }).execute();
    tx.emit({ type: 'greeting_canceled', organizationId: tx.organizationId, customerId, uniqueId });
  });
};
