import type { LicenseStatus, Plan } from '#server/storage/tables/organizations.ts';
import { definedFields } from '../../defined-fields.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { lockLicense } from './lock-license.ts';

export interface LicenseChanges {
  status?: LicenseStatus | undefined;
  plan?: Plan | undefined;
  trialEndsAt?: Date | undefined;
  paidUntil?: Date | null | undefined;
  /** `null` means unlimited. */
  seats?: number | null | undefined;
}

/**
 * Changes a license; absent fields stay unchanged. Reactions to the event stop its agents and hold or release its commissions.
 */
export const changeLicense = async (tx: Transaction<OrganizationScope>, changes: LicenseChanges): Promise<void> => {
  const written = definedFields(changes);
  if (Object.keys(written).length === 0) return;
  const { organizationId } = tx;
  await lockOrganization(tx);
  await tx.db.updateTable('organizations').where('id', '=', organizationId).set(written).execute();
  await tx.emitAccountEvent({ type: 'license_changed', organizationId, status: changes.status });
  tx.emit({ type: 'credentials_changed', organizationId });
};

/** Changes a license because of a payment or its absence. A blocked license keeps its status: only the operator unblocks it. */
export const changePaidLicense = async (
  tx: Transaction<OrganizationScope>,
  { status, ...changes }: LicenseChanges,
): Promise<void> => {
  await lockOrganization(tx);
  const before = await lockLicense(tx, tx.organizationId);
  await changeLicense(tx, before.status === 'blocked' ? changes : { ...changes, status });
};
