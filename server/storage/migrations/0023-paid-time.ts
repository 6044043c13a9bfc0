import type { Migration } from '../migrate.ts';

/** Whoever looks for licenses that are paid no longer looks every minute. */
export const paidTime: Migration = {
  id: '0023',
  name: 'paid-time',
  up: `create index organizations_paid on organizations (paid_until) where status = 'active';`,
};
