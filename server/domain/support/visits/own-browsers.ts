import type { OrganizationScope } from '../../scope.ts';
import type { Sighting } from './beacons.ts';

/** Who sent it, as far as it can be told before anybody looks: an id alone may be anybody's guess. */
export const browserOf = ({ customerId, secretHash }: Pick<Sighting, 'customerId' | 'secretHash'>): string =>
  `${customerId} ${secretHash.toString('hex')}`;

/**
 * One for each visitor. Of an id that comes with several secrets at once, all but one are strangers': the one that is known
 * counts, and of an id that is new the first.
 */
export const leaveOutStrangers = async (scope: OrganizationScope, sightings: Sighting[]): Promise<Sighting[]> => {
  const byId = Map.groupBy(sightings, ({ customerId }) => customerId);
  if (byId.size === sightings.length) return sightings;
  const doubtful = [...byId].flatMap(([id, some]) => (some.length > 1 ? [id] : []));
  const rows = await scope.from('customers').where('id', 'in', doubtful).select(['id', 'cookieSecretHash']).execute();
  const known = new Map(rows.map(({ id, cookieSecretHash }) => [id, cookieSecretHash]));
  return [...byId].flatMap(([id, some]) =>
    some.length > 1 && known.has(id)
      ? some.filter(({ secretHash }) => known.get(id)?.equals(secretHash))
      : some.slice(0, 1),
  );
};
