import type { LicenseStatus } from '#server/storage/tables/organizations.ts';
import type { BaseScope } from '../../scope.ts';

export interface LockedLicense {
  status: LicenseStatus;
  paidUntil: Date | null;
}

/** Locks the license, so that its status cannot change while money is posted. */
export const lockLicense = ({ db }: Pick<BaseScope, 'db'>, organizationId: string): Promise<LockedLicense> =>
  db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['status', 'paidUntil'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
