import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { browserColumns } from '../customers/browser.ts';
import { notFound } from '../errors.ts';
import { ALL_AGENTS } from '../groups/online.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import { findCurrentVisit, type VisitRow } from './current-visit.ts';

export interface VisitSigns {
  /** Where the customer came from: what is told first counts. */
  referrer?: string | undefined;
  userAgent?: string | undefined;
  /** The group whose page it is. */
  groupId?: number | undefined;
}

type Tx = Transaction<OrganizationScope>;

const begin = async (tx: Tx, customerId: string, signs: VisitSigns, groupId: number): Promise<VisitRow> => {
  const at = tx.now();
  const { visitsCount: number } = await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({ visitsCount: sql<number>`visits_count + 1` })
    .returning('visitsCount')
    .executeTakeFirstOrThrow();
  const { referrer = null, userAgent = null } = browserColumns(signs);
  const visit = {
    ...{ id: randomUUID(), customerId, number, groupId, startedAt: at, lastSeenAt: at },
    ...{ onlineUntil: null, referrer, userAgent },
  };
  await tx.insert('visits', visit).execute();
  return { ...visit, pageCount: 0 };
};

const goOn = async (tx: Tx, visit: VisitRow, signs: VisitSigns): Promise<VisitRow> => {
  const { referrer = null, userAgent = null } = browserColumns(signs);
  const changes = {
    lastSeenAt: tx.now(),
    groupId: signs.groupId ?? visit.groupId,
    referrer: visit.referrer ?? referrer,
    userAgent: userAgent ?? visit.userAgent,
  };
  await tx.update('visits').where('id', '=', visit.id).set(changes).execute();
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
