import type { Browser } from '../../access.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { browserColumns } from './browser.ts';
import { hasActiveChat } from './lock-customer.ts';

/**
 * Session fields live as long as a session, which lasts while a token of the customer is valid or a chat is active. A
 * token without either starts the next session. Requesting a token also counts as visit activity.
 */
export const recordSession = async (
  tx: Transaction<OrganizationScope>,
  customerId: string,
  browser: Browser | undefined,
): Promise<void> => {
  await touchVisit(tx, customerId, { browser });
  const validToken = await tx
    .from('customerTokens')
    .where('customerId', '=', customerId)
    .where('expiresAt', '>', tx.now())
    .select('id')
    .limit(1)
    .executeTakeFirst();
  const isNewSession = !validToken && !(await hasActiveChat(tx, customerId));
  const seen = browserColumns(browser);
  if (!isNewSession && Object.keys(seen).length === 0) return;
  await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({
      ...(isNewSession ? { sessionFields: '[]', userAgent: null, referrer: null } : {}),
      ...seen,
    })
    .execute();
};
