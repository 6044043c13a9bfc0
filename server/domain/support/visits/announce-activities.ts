import { sql } from 'kysely';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { readDetails } from '../customers/details.ts';
import { readMonitoringOfMany } from '../customers/monitoring.ts';
import type { PlannedVisit } from './write-visits.ts';

/** Emits the same events as for a single visitor, but reads the data they need once for all. */
export const announceActivities = async (tx: Transaction<OrganizationScope>, seen: PlannedVisit[]): Promise<void> => {
  const { organizationId } = tx;
  const arrived = new Set(seen.filter(({ begins, before }) => begins || before?.endedAt));
  const announced = seen.filter((one) => arrived.has(one) || one.activity.pages.length > 0);
  if (announced.length === 0) return;
  const monitoringById = await readMonitoringOfMany(
    tx,
    announced.map(({ activity }) => activity.customerId),
  );
  const arrivedIds = [...arrived].map(({ activity }) => activity.customerId);
  const details =
    arrived.size > 0 ? await readDetails(tx, sql`select id, 0 as key from unnest(${arrivedIds}::uuid[]) as id`) : [];
  const customers = new Map(details.map(({ customer }) => [customer.id, customer]));
  for (const one of announced) {
    const { customerId, pages } = one.activity;
    const about = { organizationId, customerId, monitoring: monitoringById.get(customerId)! };
    if (one.begins && one.before && !one.before.endedAt) tx.emit({ type: 'customer_visit_ended', ...about });
    if (arrived.has(one)) {
      const customer = customers.get(customerId)!;
      if (one.begins && one.visit.number === 1) tx.emit({ type: 'customer_arrived', ...about, customer });
      tx.emit({ type: 'customer_visit_started', ...about, customer });
    }
    for (const { url, title, openedAt } of pages)
      tx.emit({
        type: 'customer_page_updated',
        ...about,
        page: { url, ...(title === null ? {} : { title }), openedAt },
      });
  }
};
