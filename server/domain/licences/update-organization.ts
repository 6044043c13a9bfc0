import { requireOperator } from '../access.ts';
import { type OrganizationScope, openOrganizationScope, type PlatformScope } from '../scope.ts';
import { resumeSubscription } from '../subscriptions/resume.ts';
import { changeLicence, type LicenceChanges } from './change-licence.ts';
import { getOrganization, type OrganizationRecord } from './organizations.ts';

export type OrganizationChanges = Omit<LicenceChanges, 'paidUntil'>;

/** Whoever sets a licence going although it is not paid means it to stay. */
const forgetPaidTime = async ({ db, organizationId, now }: OrganizationScope): Promise<LicenceChanges> => {
  const overdue = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .where('paidUntil', '<=', now())
    .select('id')
    .executeTakeFirst();
  return overdue ? { paidUntil: null } : {};
};

/** What was not given stays. */
export const updateOrganization = async (
  scope: PlatformScope,
  { id, ...changes }: OrganizationChanges & { id: string },
): Promise<OrganizationRecord> => {
  requireOperator(scope.actor);
  const { id: organizationId, status } = await getOrganization(scope, id);
  const isUnblocked = status === 'blocked' && changes.status !== undefined && changes.status !== 'blocked';
  await openOrganizationScope(scope.services, scope.actor, organizationId).transaction(async (tx) => {
    if (isUnblocked) await resumeSubscription(tx, organizationId);
    const forgotten = changes.status === 'active' ? await forgetPaidTime(tx) : {};
    await changeLicence(tx, { ...changes, ...forgotten });
  });
  return getOrganization(scope, organizationId);
};
