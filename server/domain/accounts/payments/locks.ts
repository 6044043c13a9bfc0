import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { LicenseStatus } from '#server/storage/tables/organizations.ts';
import type { BaseScope, PlatformScope, Transaction } from '../../scope.ts';

/** A payment and its refunds may arrive in any order and at the same time: they are handled one after the other. */
export const lockPayment = ({ executor }: Transaction<PlatformScope>, externalId: string): Promise<void> =>
  lockInTransaction(executor, 'payment', externalId);

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
