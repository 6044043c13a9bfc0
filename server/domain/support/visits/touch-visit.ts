import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Browser } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { browserColumns } from '../customers/browser.ts';
import { normalizeIp } from '../customers/normalize-ip.ts';
import { announceVisitStarted, announceVisitsEnded } from './announce-visits.ts';
import { findCurrentVisit, type VisitRow } from './current-visit.ts';

export interface VisitUpdate {
  /** Only the first referrer of a visit is stored. */
  referrer?: string | undefined;
  browser?: Browser | undefined;
  /** The group of the page. */
  groupId?: number | undefined;
  /** Set while a socket is open. */
  onlineUntil?: Date | undefined;
}

type Tx = Transaction<OrganizationScope>;

const columnsOf = ({ referrer, browser }: VisitUpdate) => ({
  referrer: null,
  userAgent: null,
  ip: (browser?.ip && normalizeIp(browser.ip)) ?? null,
  // The `Referer` header contains the page itself, so the origin is what the page reports.
  ...browserColumns({ referrer, userAgent: browser?.userAgent }),
});

/** Ends a visit whose timeout has not been noticed yet. */
const endPrevious = async (tx: Tx, customerId: string): Promise<void> => {
  const { numUpdatedRows } = await tx
    .update('visits')
    .where('customerId', '=', customerId)
    .where('endedAt', 'is', null)
    .set((eb) => ({ endedAt: eb.ref('lastSeenAt') }))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await announceVisitsEnded(tx, [customerId]);
};

const startVisit = async (tx: Tx, customerId: string, update: VisitUpdate, groupId: number): Promise<VisitRow> => {
  const at = tx.now();
  const { visitsCount: number } = await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({ visitsCount: sql<number>`visits_count + 1` })
    .returning('visitsCount')
    .executeTakeFirstOrThrow();
  if (number > 1) await endPrevious(tx, customerId);
  const visit = {
    ...{ id: randomUUID(), customerId, number, groupId, startedAt: at, lastSeenAt: at, endedAt: null },
    ...{ onlineUntil: update.onlineUntil ?? null, trackedUntil: null, language: null, timezone: null },
    ...columnsOf(update),
  };
  const place = (visit.ip && tx.services.installation.locate(visit.ip)) || null;
  await tx.insert('visits', { ...visit, place: place && JSON.stringify(place) }).execute();
  await announceVisitStarted(tx, customerId, { first: number === 1 });
  return { ...visit, place, pageCount: 0 };
};

const continueVisit = async (tx: Tx, visit: VisitRow, update: VisitUpdate): Promise<VisitRow> => {
  const { referrer, userAgent, ip } = columnsOf(update);
  const changes = {
    lastSeenAt: tx.now(),
    endedAt: null,
    groupId: update.groupId ?? visit.groupId,
    referrer: visit.referrer ?? referrer,
    userAgent: userAgent ?? visit.userAgent,
    ip: ip ?? visit.ip,
    onlineUntil: update.onlineUntil ?? visit.onlineUntil,
  };
  await tx.update('visits').where('id', '=', visit.id).set(changes).execute();
  if (visit.endedAt) await announceVisitStarted(tx, visit.customerId, { first: false });
  return { ...visit, ...changes };
};

/**
 * Continues the customer's visit or starts another. Locks the customer's row, so that concurrent requests start only
 * one.
 */
export const touchVisit = async (tx: Tx, customerId: string, update: VisitUpdate = {}): Promise<VisitRow> => {
  const customer = await tx
    .from('customers')
    .where('id', '=', customerId)
    .select('groupId')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!customer) throw notFound('Customer');
  const current = await findCurrentVisit(tx, customerId);
  return current
    ? continueVisit(tx, current, update)
    : startVisit(tx, customerId, update, update.groupId ?? customer.groupId ?? ALL_AGENTS);
};
