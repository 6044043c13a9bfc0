import type { Browser } from '../../access.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { browserColumns } from './browser.ts';
import { hasActiveChat } from './hold-customer.ts';

/**
 * A session, which is what session fields live for, lasts as long as a token of the customer counts or a chat is active. So
 * a token that follows none begins the next one. Asking for a token also is part of a visit.
 */
export const noteSession = async (
  tx: Transaction<OrganizationScope>,
  customerId: string,
  browser: Browser | undefined,
): Promise<void> => {
  await touchVisit(tx, customerId, { browser });
  const living = await tx
    .from('customerTokens')
    .where('customerId', '=', customerId)
    .where('expiresAt', '>', tx.now())
    .select('id')
    .limit(1)
    .executeTakeFirst();
  const begins = !living && !(await hasActiveChat(tx, customerId));
  const seen = browserColumns(browser);
  if (!begins && Object.keys(seen).length === 0) return;
  await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({
      ...(begins ? { sessionFields: '[]', userAgent: null, referrer: null } : {}),
      ...seen,
    })
    .execute();
};
