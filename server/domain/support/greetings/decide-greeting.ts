import { sql } from 'kysely';
import { requireCustomer } from '../../access.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { holdCustomer } from '../customers/hold-customer.ts';

type Tx = Transaction<OrganizationScope>;

/** A customer knows its own greetings only. */
const getDisplay = async (tx: Tx, customerId: string, uniqueId: string) => {
  await holdCustomer(tx, customerId);
  const display = await tx
    .from('greetingDisplays')
    .where('id', '=', uniqueId)
    .where('customerId', '=', customerId)
    .select(['greetingId', 'acceptedAt', 'canceledAt'])
    .executeTakeFirst();
  if (!display) throw new DomainError('greeting_not_found', 'Greeting not found');
  return display;
};

/** The customer has seen it. Once it is cancelled it stays so; saying it again changes nothing. */
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

/** The customer put it away, be it unseen or accepted before. */
export const cancelGreeting = (scope: OrganizationScope, { uniqueId }: { uniqueId: string }): Promise<void> => {
  const { id: customerId } = requireCustomer(scope.actor);
  return scope.transaction(async (tx) => {
    const display = await getDisplay(tx, customerId, uniqueId);
    if (display.canceledAt) return;
    await tx.update('greetingDisplays').where('id', '=', uniqueId).set({ canceledAt: tx.now() }).execute();
    tx.emit({ type: 'greeting_canceled', organizationId: tx.organizationId, customerId, uniqueId });
  });
};
