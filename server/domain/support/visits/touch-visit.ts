import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Browser } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from '../customers/address.ts';
import { browserColumns } from '../customers/browser.ts';
import { findCurrentVisit, type VisitRow } from './current-visit.ts';
import { sayVisitStarted, sayVisitsEnded } from './say-visits.ts';

export interface VisitSigns {
  /** Where the customer came from: what is told first counts. */
  referrer?: string | undefined;
  browser?: Browser | undefined;
  /** The group whose page it is. */
  groupId?: number | undefined;
  /** A socket is open, and is believed in until then. */
  onlineUntil?: Date | undefined;
}

type Tx = Transaction<OrganizationScope>;

const columnsOf = ({ referrer, browser }: VisitSigns) => ({
  referrer: null,
  userAgent: null,
  ip: (browser?.ip && normalizeIp(browser.ip)) ?? null,
  // The header `Referer` names the page itself; where the customer came from is only what the page says.
  ...browserColumns({ referrer, userAgent: browser?.userAgent }),
});

/** One that nobody has looked at since it fell silent. */
const endPrevious = async (tx: Tx, customerId: string): Promise<void> => {
  const { numUpdatedRows } = await tx
    .update('visits')
    .where('customerId', '=', customerId)
    .where('endedAt', 'is', null)
    .set((eb) => ({ endedAt: eb.ref('lastSeenAt') }))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await sayVisitsEnded(tx, [customerId]);
};

const begin = async (tx: Tx, customerId: string, signs: VisitSigns, groupId: number): Promise<VisitRow> => {
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
    ...{ onlineUntil: signs.onlineUntil ?? null, trackedUntil: null, language: null, timezone: null },
    ...columnsOf(signs),
  };
  const place = (visit.ip && tx.services.locate(visit.ip)) || null;
  await tx.insert('visits', { ...visit, place: place && JSON.stringify(place) }).execute();
  await sayVisitStarted(tx, customerId, { first: number === 1 });
  return { ...visit, place, pageCount: 0 };
};

const goOn = async (tx: Tx, visit: VisitRow, signs: VisitSigns): Promise<VisitRow> => {
  const { referrer, userAgent, ip } = columnsOf(signs);
  const changes = {
    lastSeenAt: tx.now(),
    endedAt: null,
    groupId: signs.groupId ?? visit.groupId,
    referrer: visit.referrer ?? referrer,
    userAgent: userAgent ?? visit.userAgent,
    ip: ip ?? visit.ip,
    onlineUntil: signs.onlineUntil ?? visit.onlineUntil,
  };
  await tx.update('visits').where('id', '=', visit.id).set(changes).execute();
  if (visit.endedAt) await sayVisitStarted(tx, visit.customerId, { first: false });
  return { ...visit, ...changes };
};

/** The customer does something: its visit goes on, or another begins. Holds the customer's row, so no two begin at once. */
export const touchVisit = async (tx: Tx, customerId: string, signs: VisitSigns = {}): Promise<VisitRow> => {
  const customer = await tx
    .from('customers')
    .where('id', '=', customerId)
    .select('groupId')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!customer) throw notFound('Customer');
  const current = await findCurrentVisit(tx, customerId);
  return current
    ? goOn(tx, current, signs)
    : begin(tx, customerId, signs, signs.groupId ?? customer.groupId ?? ALL_AGENTS);
};
