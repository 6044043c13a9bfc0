import type { OrganizationScope, Transaction } from '../../scope.ts';
import { findDetails } from '../customers/details.ts';
import { readMonitoring, readMonitoringOfMany } from '../customers/monitoring.ts';

type Tx = Transaction<OrganizationScope>;

/** Emits that a visit started; `first`: the first visit of this customer. */
export const announceVisitStarted = async (
  tx: Tx,
  customerId: string,
  { first }: { first: boolean },
): Promise<void> => {
  const customer = (await findDetails(tx, customerId))!;
  const monitoring = await readMonitoring(tx, customerId);
  const about = { organizationId: tx.organizationId, customerId, customer, monitoring };
  if (first) tx.emit({ type: 'customer_arrived', ...about });
  tx.emit({ type: 'customer_visit_started', ...about });
};

export const announceVisitsEnded = async (tx: Tx, customerIds: readonly string[]): Promise<void> => {
  if (customerIds.length === 0) return;
  for (const [customerId, monitoring] of await readMonitoringOfMany(tx, customerIds))
    tx.emit({ type: 'customer_visit_ended', organizationId: tx.organizationId, customerId, monitoring });
};
