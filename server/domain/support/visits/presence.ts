import { sql } from 'kysely';
import { requireCustomer } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { reachGoals } from '../goals/reach-goals.ts';
import { activeGroups } from '../groups/online.ts';
import { findLastVisit, VISIT_TIMEOUT_MS } from './current-visit.ts';
import { addPage, type PageInput, toWebPage } from './record-page.ts';
import { touchVisit } from './touch-visit.ts';

/** Processes extend their sockets every minute; those of a crashed process expire after this time. */
const ONLINE_MS = 150_000;

const onlineUntil = (scope: OrganizationScope): Date => new Date(scope.now().getTime() + ONLINE_MS);

export interface CustomerConnection {
  page?: PageInput | undefined;
  referrer?: string | undefined;
  groupId?: number | undefined;
}

/** Unknown groups are ignored. */
const findGroup = async (scope: OrganizationScope, groupId: number | undefined): Promise<number | undefined> =>
  groupId === undefined
    ? undefined
    : (await activeGroups(scope).where('id', '=', groupId).select('id').executeTakeFirst())?.id;

/** Registers an open socket. Pages that are not web pages are ignored. */
export const connectCustomer = async (
  scope: OrganizationScope,
  { page, referrer, groupId }: CustomerConnection,
): Promise<void> => {
  const { id, browser } = requireCustomer(scope.actor);
  const opened = page && toWebPage(page);
  await scope.transaction(async (tx) => {
    const update = { referrer, browser, groupId: await findGroup(tx, groupId), onlineUntil: onlineUntil(tx) };
    const visit = await touchVisit(tx, id, update);
    if (opened) await addPage(tx, visit, opened);
    await reachGoals(tx, visit, { pageUrl: opened?.url });
  });
};

/** Continues the visits of customers whose sockets are still open. */
export const extendOnline = async (scope: OrganizationScope, customerIds: string[]): Promise<void> => {
  const now = scope.now();
  await scope
    .update('visits')
    .where('lastSeenAt', '>=', new Date(now.getTime() - VISIT_TIMEOUT_MS))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('visits as last')
        .where('last.organizationId', '=', scope.organizationId)
        .where('last.customerId', '=', sql<string>`any(${customerIds}::uuid[])`)
        .distinctOn('last.customerId')
        .orderBy('last.customerId')
        .orderBy('last.number', 'desc')
        .select('last.id'),
    )
    .set({ lastSeenAt: now, onlineUntil: onlineUntil(scope), endedAt: null })
    .execute();
};

/** The last socket of the customer in this process closed. Another process with one extends the visit soon. */
export const disconnectCustomer = async (scope: OrganizationScope, customerId: string): Promise<void> => {
  await scope
    .update('visits')
    .where('customerId', '=', customerId)
    .where('onlineUntil', '>', scope.now())
    .set({ onlineUntil: scope.now() })
    .execute();
};

/** Whether the customer has an open socket in any process. */
export const isOnline = async (scope: OrganizationScope, customerId: string): Promise<boolean> => {
  const visit = await findLastVisit(scope, customerId);
  return !!visit?.onlineUntil && visit.onlineUntil > scope.now();
};
