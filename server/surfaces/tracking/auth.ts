import { LRUCache } from 'lru-cache';
import type { Context } from '#server/context.ts';
import type { OrganizationRecord } from '#server/domain/accounts/licenses/organizations.ts';
import { assertProductVersion } from '#server/domain/accounts/licenses/product-version.ts';
import { DomainError } from '#server/domain/errors.ts';

type License = Pick<OrganizationRecord, 'id' | 'status' | 'productVersion' | 'trustedDomains'>;

/** Beacons are frequent, so license changes take effect with this delay. */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED = 10_000;

/** The organization of a license number, if its license is active. */
export const createLicenseFinder = (ctx: Context): ((licenseNumber: number) => Promise<License>) => {
  const cache = new LRUCache<number, Promise<License | undefined>>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });
  const find = (licenseNumber: number): Promise<License | undefined> =>
    ctx.database.kysely
      .selectFrom('organizations')
      .where('licenseNumber', '=', licenseNumber)
      .select(['id', 'status', 'productVersion', 'trustedDomains'])
      .executeTakeFirst();
  return async (licenseNumber) => {
    let found = cache.get(licenseNumber);
    if (!found) {
      found = find(licenseNumber);
      cache.set(licenseNumber, found);
      found.catch(() => cache.delete(licenseNumber));
    }
    const license = await found;
    if (!license) throw new DomainError('license_not_found', 'License not found');
    if (license.status === 'expired' || license.status === 'blocked')
      throw new DomainError('license_expired', 'License expired');
    assertProductVersion(license.productVersion);
    return license;
  };
};
