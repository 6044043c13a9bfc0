import type { Selectable } from 'kysely';
import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { ChargesTable } from './tables/resellers.ts';

/** Queries for due items of all owners. */

/** A license with an active subscription; found by the partner who referred it. */
export const isSubscribed = (organizationId: string): string => `exists (
  select from referred_licenses r
  join subscriptions v on v.partner_id = r.partner_id and v.organization_id = r.organization_id and v.status in ('active', 'past_due')
  where r.organization_id = ${organizationId})`;

export interface DueSubscription {
  partnerId: number;
  organizationId: string;
}

/** Skips subscriptions with a pending charge and those of blocked licenses. */
export const findDueSubscriptions = async (
  executor: Executor,
  now: Date,
  limit: number,
): Promise<DueSubscription[]> => {
  const { rows } = await executor.query<DueSubscription>({
    name: 'find_due_subscriptions',
    text: `${PLATFORM_MARK}
      select s.partner_id as "partnerId", s.organization_id as "organizationId" from subscriptions s
      join organizations o on o.id = s.organization_id and o.status <> 'blocked'
      where s.next_charge_at <= $1 and not exists (
        select from charges c where c.partner_id = s.partner_id and c.organization_id = s.organization_id and c.status = 'open')
      order by s.next_charge_at limit $2`,
    values: [now, limit],
  });
  return rows;
};

/** Whether a subscription is active; it ends the license itself if a payment fails. */
export const hasActiveSubscription = async (executor: Executor, organizationId: string): Promise<boolean> => {
  const { rows } = await executor.query({
    name: 'has_living_subscription',
    text: `${PLATFORM_MARK} select from organizations o where o.id = $1 and ${isSubscribed('o.id')}`,
    values: [organizationId],
  });
  return rows.length > 0;
};

/** Unordered, so that charges that cannot be finished do not block others. */
export const findOpenCharges = async (
  executor: Executor,
  until: Date,
  limit: number,
): Promise<Selectable<ChargesTable>[]> => {
  const { rows } = await executor.query<Selectable<ChargesTable>>({
    name: 'find_left_charges',
    text: `${PLATFORM_MARK}
      select c.partner_id as "partnerId", c.organization_id as "organizationId", c.id, c.purpose, c.amount_cents as "amountCents",
        c.terms, c.status, c.reason, c.created_at as "createdAt", c.settled_at as "settledAt"
      from charges c where c.status = 'open' and c.created_at <= $1 order by random() limit $2`,
    values: [until, limit],
  });
  return rows;
};
