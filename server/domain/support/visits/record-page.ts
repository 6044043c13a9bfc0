import { sql } from 'kysely';
import { requireCustomer } from '../../access.ts';
import { invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { readMonitoring } from '../customers/monitoring.ts';
import { reachGoals } from '../goals/reach-goals.ts';
import type { VisitRow } from './current-visit.ts';
import { touchVisit } from './touch-visit.ts';

export interface PageInput {
  url: string;
  title?: string | undefined;
}

export const MAX_PAGES = 1000;
/** Longer URLs are truncated instead of rejected: a page must not keep a customer from logging in. */
const MAX_CHARACTERS = 2048;

/** Returns undefined for URLs that are not web pages, such as local files. */
export const toWebPage = ({ url, title }: PageInput): PageInput | undefined =>
  /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? { url: url.slice(0, MAX_CHARACTERS), title } : undefined;

export const checkPage = (page: PageInput, field = 'url'): PageInput => {
  const read = toWebPage(page);
  if (!read) throw invalid(field, 'must be an http or https URL');
  return read;
};

/** Adds a page to a visit. Only the latest pages of a very long visit are stored. */
export const addPage = async (
  tx: Transaction<OrganizationScope>,
  { id: visitId, customerId }: VisitRow,
  { url, title }: PageInput,
): Promise<void> => {
  const openedAt = tx.now();
  const { pageCount: number } = await tx
    .update('visits')
    .where('id', '=', visitId)
    .set({ pageCount: sql<number>`page_count + 1` })
    .returning('pageCount')
    .executeTakeFirstOrThrow();
  await tx.insert('visitPages', { visitId, number, url, title: title ?? null, openedAt }).execute();
  if (number > MAX_PAGES)
    await tx
      .remove('visitPages')
      .where('visitId', '=', visitId)
      .where('number', '<=', number - MAX_PAGES)
      .execute();
  await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({ pageViewsCount: sql<number>`page_views_count + 1` })
    .execute();
  tx.emit({
    type: 'customer_page_updated',
    organizationId: tx.organizationId,
    customerId,
    page: { url, ...(title === undefined ? {} : { title }), openedAt },
    monitoring: await readMonitoring(tx, customerId),
  });
};

/** Records that the customer opened another page. */
export const recordPage = async (scope: OrganizationScope, input: PageInput): Promise<void> => {
  const { id, browser } = requireCustomer(scope.actor);
  const page = checkPage(input);
  await scope.transaction(async (tx) => {
    const visit = await touchVisit(tx, id, { browser });
    await addPage(tx, visit, page);
    await reachGoals(tx, visit, { pageUrl: page.url });
  });
};
