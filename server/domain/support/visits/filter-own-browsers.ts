import type { OrganizationScope } from '../../scope.ts';
import type { VisitorActivity } from './beacons.ts';

/** Identifies the sender before its secret is checked: a customer id alone could be guessed. */
export const browserKey = ({ customerId, secretHash }: Pick<VisitorActivity, 'customerId' | 'secretHash'>): string =>
  `${customerId} ${secretHash.toString('hex')}`;

/**
 * Keeps one activity per visitor. If a customer id arrives with several secrets, only the stored one counts; for a new
 * id the first one does.
 */
export const filterOwnBrowsers = async (
  scope: OrganizationScope,
  activities: VisitorActivity[],
): Promise<VisitorActivity[]> => {
  const byId = Map.groupBy(activities, ({ customerId }) => customerId);
  if (byId.size === activities.length) return activities;
  const ambiguous = [...byId].flatMap(([id, some]) => (some.length > 1 ? [id] : []));
  const rows = await scope.from('customers').where('id', 'in', ambiguous).select(['id', 'cookieSecretHash']).execute();
  const hashById = new Map(rows.map(({ id, cookieSecretHash }) => [id, cookieSecretHash]));
  return [...byId].flatMap(([id, some]) =>
    some.length > 1 && hashById.has(id)
      ? some.filter(({ secretHash }) => hashById.get(id)?.equals(secretHash))
      : some.slice(0, 1),
  );
};
