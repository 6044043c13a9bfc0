import { LRUCache } from 'lru-cache';
import type { Context } from '#server/context.ts';
import type { OrganizationRecord } from '#server/domain/accounts/licenses/organizations.ts';
import { assertProductVersion } from '#server/domain/accounts/licenses/product-version.ts';
import { DomainError } from '#server/domain/errors.ts';

type Licence = Pick<OrganizationRecord, 'id' | 'status' | 'productVersion' | 'trustedDomains'>;

/** Beacons come by the thousand; a change is felt this much later. */
const REMEMBER_MS = 5_000;
const MOST_REMEMBERED = 10_000;

/** The organization of a licence number, if it may use the product now. */
export const createLicenceFinder = (ctx: Context): ((licenceNumber: number) => Promise<Licence>) => {
  const known = new LRUCache<number, Promise<Licence | undefined>>({ max: MOST_REMEMBERED, ttl: REMEMBER_MS });
  const find = (licenceNumber: number): Promise<Licence | undefined> =>
    ctx.database.kysely
      .selectFrom('organizations')
      .where('licenceNumber', '=', licenceNumber)
      .select(['id', 'status', 'productVersion', 'trustedDomains'])
      .executeTakeFirst();
  return async (licenceNumber) => {
    let found = known.get(licenceNumber);
    if (!found) {
      found = find(licenceNumber);
      known.set(licenceNumber, found);
      found.catch(() => known.delete(licenceNumber));
    }
    const licence = await found;
    if (!licence) throw new DomainError('licence_not_found', 'License not found');
    if (licence.status === 'expired' || licence.status === 'blocked')
      throw new DomainError('licence_expired', 'License expired');
    assertProductVersion(licence.productVersion);
    return licence;
  };
};
