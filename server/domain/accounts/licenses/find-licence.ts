import { DomainError } from '../../errors.ts';
import type { Services } from '../../scope.ts';
import { assertProductVersion } from './product-version.ts';

/** The organization that a licence number belongs to, provided it may use the product now. */
export const findLicence = async ({ db }: Services, licenceNumber: number): Promise<string> => {
  const row = await db
    .selectFrom('organizations')
    .where('licenceNumber', '=', licenceNumber)
    .select(['id', 'status', 'productVersion'])
    .executeTakeFirst();
  if (!row) throw new DomainError('licence_not_found', 'License not found');
  if (row.status === 'expired' || row.status === 'blocked') throw new DomainError('licence_expired', 'License expired');
  assertProductVersion(row.productVersion);
  return row.id;
};
