import type { OrganizationScope, Transaction } from '../../scope.ts';
import { readAttention, readAttentions } from '../customers/attention.ts';
import { findDetails } from '../customers/details.ts';

type Tx = Transaction<OrganizationScope>;

/** The customer came to the site; `first`: for the first time ever. */
export const sayVisitStarted = async (tx: Tx, customerId: string, { first }: { first: boolean }): Promise<void> => {
  const customer = (await findDetails(tx, customerId))!;
  const attention = await readAttention(tx, customerId);
  const about = { organizationId: tx.organizationId, customerId, customer, attention };
  if (first) tx.emit({ type: 'customer_arrived', ...about });
  tx.emit({ type: 'customer_visit_started', ...about });
};

export const sayVisitsEnded = async (tx: Tx, customerIds: readonly string[]): Promise<void> => {
  if (customerIds.length === 0) return;
  for (const [customerId, attention] of await readAttentions(tx, customerIds))
    tx.emit({ type: 'customer_visit_ended', organizationId: tx.organizationId, customerId, attention });
};
