import { DomainError } from '../../errors.ts';
import type { Services } from '../../scope.ts';
import { assertProductVersion } from './product-version.ts';

/** The organization of a license number. Throws unless its license is valid now. */
export const findLicense = async ({ db }: Services, licenseNumber: number): Promise<string> => {
  const row = await db
    .selectFrom('organizations')
    .where('licenseNumber', '=', licenseNumber)
    .select(['id', 'status', 'productVersion'])
    .executeTakeFirst();
  if (!row) throw new DomainError('license_not_found', 'License not found');
  if (row.status === 'expired' || row.status === 'blocked') throw new DomainError('license_expired', 'License expired');
  assertProductVersion(row.productVersion);
  return row.id;
};
