import { sql } from 'kysely';
import { requireCustomer } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { reachGoals } from '../goals/reach-goals.ts';
import { livingGroups } from '../groups/online.ts';
import { findLastVisit, SILENCE_MS } from './current-visit.ts';
import { addPage, type PageInput, resolvePage } from './record-page.ts';
import { touchVisit } from './touch-visit.ts';

/** A process with a socket of the customer says so every minute; one that died is believed this long. */
const ONLINE_MS = 150_000;

const onlineUntil = (scope: OrganizationScope): Date => new Date(scope.now().getTime() + ONLINE_MS);

export interface Arrival {
  page?: PageInput | undefined;
  referrer?: string | undefined;
  groupId?: number | undefined;
}

/** A group that does not exist keeps nobody out: it is as if none had been named. */
const knownGroup = async (scope: OrganizationScope, groupId: number | undefined): Promise<number | undefined> =>
  groupId === undefined
    ? undefined
    : (await livingGroups(scope).where('id', '=', groupId).select('id').executeTakeFirst())?.id;

/** The customer opened a socket. A page that is none keeps nobody out either. */
export const arrive = async (scope: OrganizationScope, { page, referrer, groupId }: Arrival): Promise<void> => {
  const { id, browser } = requireCustomer(scope.actor);
  const opened = page && resolvePage(page);
  await scope.transaction(async (tx) => {
    const signs = { referrer, browser, groupId: await knownGroup(tx, groupId), onlineUntil: onlineUntil(tx) };
    const visit = await touchVisit(tx, id, signs);
    if (opened) await addPage(tx, visit, opened);
    await reachGoals(tx, visit, { pageUrl: opened?.url });
  });
};

/** These customers still have their sockets: their visits go on. */
export const keepOnline = async (scope: OrganizationScope, customerIds: string[]): Promise<void> => {
  const now = scope.now();
  await scope
    .update('visits')
    .where('lastSeenAt', '>=', new Date(now.getTime() - SILENCE_MS))
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

/** The last socket of the customer in this process is gone. Another process that has one will soon say so. */
export const depart = async (scope: OrganizationScope, customerId: string): Promise<void> => {
  await scope
    .update('visits')
    .where('customerId', '=', customerId)
    .where('onlineUntil', '>', scope.now())
    .set({ onlineUntil: scope.now() })
    .execute();
};

/** Whether the customer has an open socket, in whichever process. */
export const isOnline = async (scope: OrganizationScope, customerId: string): Promise<boolean> => {
  const visit = await findLastVisit(scope, customerId);
  return !!visit?.onlineUntil && visit.onlineUntil > scope.now();
};
