import type { Selectable } from 'kysely';
import type { SubscriptionsTable } from '#server/storage/tables/resellers.ts';
import type { Paid } from './draft-charges.ts';

export type Subscription = Selectable<SubscriptionsTable>;

/** One that goes on, or would if it could be paid. */
export const livingOf = (subscription: Subscription | undefined): Subscription | undefined =>
  subscription?.status === 'active' || subscription?.status === 'past_due' ? subscription : undefined;

export const toPaid = (subscription: Subscription): Paid => ({
  ...subscription,
  period: { startsAt: subscription.periodStartsAt, endsAt: subscription.periodEndsAt },
});
