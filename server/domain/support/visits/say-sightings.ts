import { sql } from 'kysely';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { readAttentions } from '../customers/attention.ts';
import { readDetails } from '../customers/details.ts';
import type { SeenVisit } from './write-sightings.ts';

/** Says what happened to each visitor as it would be said of one alone; what has to be read for it is read once for all. */
export const saySightings = async (tx: Transaction<OrganizationScope>, seen: SeenVisit[]): Promise<void> => {
  const { organizationId } = tx;
  const arrived = new Set(seen.filter(({ begins, before }) => begins || before?.endedAt));
  const told = seen.filter((one) => arrived.has(one) || one.sighting.pages.length > 0);
  if (told.length === 0) return;
  const attentions = await readAttentions(
    tx,
    told.map(({ sighting }) => sighting.customerId),
  );
  const arrivedIds = [...arrived].map(({ sighting }) => sighting.customerId);
  const details =
    arrived.size > 0 ? await readDetails(tx, sql`select id, 0 as key from unnest(${arrivedIds}::uuid[]) as id`) : [];
  const customers = new Map(details.map(({ customer }) => [customer.id, customer]));
  for (const one of told) {
    const { customerId, pages } = one.sighting;
    const about = { organizationId, customerId, attention: attentions.get(customerId)! };
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
