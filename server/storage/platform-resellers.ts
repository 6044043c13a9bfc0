import type { Selectable } from 'kysely';
import type { Executor } from './database.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { ChargesTable } from './tables/resellers.ts';

/** What is due, whosever it is. */

export interface DueSubscription {
  partnerId: number;
  organizationId: string;
}

/** Those with a charge under way are left to it. */
export const findDueSubscriptions = async (
  executor: Executor,
  now: Date,
  limit: number,
): Promise<DueSubscription[]> => {
  const { rows } = await executor.query<DueSubscription>({
    name: 'find_due_subscriptions',
    text: `${PLATFORM_MARK}
      select s.partner_id as "partnerId", s.organization_id as "organizationId" from subscriptions s
      where s.next_charge_at <= $1 and not exists (
        select from charges c where c.partner_id = s.partner_id and c.organization_id = s.organization_id and c.status = 'open')
      order by s.next_charge_at limit $2`,
    values: [now, limit],
  });
  return rows;
};

export const findLeftCharges = async (
  executor: Executor,
  until: Date,
  limit: number,
): Promise<Selectable<ChargesTable>[]> => {
  const { rows } = await executor.query<Selectable<ChargesTable>>({
    name: 'find_left_charges',
    text: `${PLATFORM_MARK}
      select c.partner_id as "partnerId", c.organization_id as "organizationId", c.id, c.purpose, c.amount_cents as "amountCents",
        c.terms, c.status, c.reason, c.created_at as "createdAt", c.settled_at as "settledAt"
      from charges c where c.status = 'open' and c.created_at <= $1 order by c.created_at limit $2`,
    values: [until, limit],
  });
  return rows;
};
