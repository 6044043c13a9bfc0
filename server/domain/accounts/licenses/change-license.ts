import type { LicenseStatus, Plan } from '#server/storage/tables/organizations.ts';
import { definedFields } from '../../defined-fields.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { lockLicense } from '../payments/locks.ts';

export interface LicenseChanges {
  status?: LicenseStatus | undefined;
  plan?: Plan | undefined;
  trialEndsAt?: Date | undefined;
  paidUntil?: Date | null | undefined;
  /** `null`: as many agents as they like. */
  seats?: number | null | undefined;
}

/**
 * What was not given stays. A license that ends or begins anew is felt by whoever is connected at once, and the money of a
 * blocked one rests.
 */
export const changeLicense = async (tx: Transaction<OrganizationScope>, changes: LicenseChanges): Promise<void> => {
  const written = definedFields(changes);
  if (Object.keys(written).length === 0) return;
  const { organizationId } = tx;
  await lockOrganization(tx);
  await tx.db.updateTable('organizations').where('id', '=', organizationId).set(written).execute();
  const { status } = changes;
  if (status !== undefined) await tx.emitAccountEvent({ type: 'license_status_changed', organizationId, status });
  tx.emit({ type: 'credentials_changed', organizationId });
};

/** The same for what comes of money that was paid, or was not: whoever blocked the license lets it go again, and nobody else. */
export const changePaidLicense = async (
  tx: Transaction<OrganizationScope>,
  { status, ...changes }: LicenseChanges,
): Promise<void> => {
  await lockOrganization(tx);
  const before = await lockLicense(tx, tx.organizationId);
  await changeLicense(tx, before.status === 'blocked' ? changes : { ...changes, status });
};
