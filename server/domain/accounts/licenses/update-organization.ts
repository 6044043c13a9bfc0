import { requireOperator } from '../../access.ts';
import { lockOrganization } from '../../organization-lock.ts';
import { type OrganizationScope, openOrganizationScope, type PlatformScope, type Transaction } from '../../scope.ts';
import { resumeSubscription, stopSubscription } from '../subscriptions/resume-subscription.ts';
import { changeLicense, type LicenseChanges } from './change-license.ts';
import { lockLicense } from './lock-license.ts';
import { getOrganization, type OrganizationRecord } from './organizations.ts';

export type OrganizationChanges = Omit<LicenseChanges, 'paidUntil'>;

/** A license that the operator activates without a payment has no end. */
const forgetPaidTime = async ({ db, organizationId, now }: OrganizationScope): Promise<LicenseChanges> => {
  const overdue = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .where('paidUntil', '<=', now())
    .select('id')
    .executeTakeFirst();
  return overdue ? { paidUntil: null } : {};
};

/** A subscription is paused while its license is blocked, resumes with it and ends with it. */
const followStatus = async (
  tx: Transaction<OrganizationScope>,
  status: OrganizationChanges['status'],
): Promise<void> => {
  await lockOrganization(tx);
  const before = await lockLicense(tx, tx.organizationId);
  if (status === 'expired') await stopSubscription(tx);
  const works = status === 'active' || status === 'trial';
  if (works && before.status === 'blocked') await resumeSubscription(tx, before.paidUntil);
};

/** Fields that are absent stay unchanged. */
export const updateOrganization = async (
  scope: PlatformScope,
  { id, ...changes }: OrganizationChanges & { id: string },
): Promise<OrganizationRecord> => {
  requireOperator(scope.actor);
  const { id: organizationId } = await getOrganization(scope, id);
  await openOrganizationScope(scope.services, scope.actor, organizationId).transaction(async (tx) => {
    await followStatus(tx, changes.status);
    const forgotten = changes.status === 'active' ? await forgetPaidTime(tx) : {};
    await changeLicense(tx, { ...changes, ...forgotten });
  });
  return getOrganization(scope, organizationId);
};
