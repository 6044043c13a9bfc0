import type { LicenceStatus, Plan } from '#server/storage/tables/organizations.ts';
import { requireOperator } from '../access.ts';
import { stopAccepting } from '../agents/stop-accepting.ts';
import { given } from '../given.ts';
import { takeTurn } from '../routing/take-turn.ts';
import { openOrganizationScope, type PlatformScope } from '../scope.ts';
import { getOrganization, type OrganizationRecord } from './organizations.ts';

export interface OrganizationChanges {
  status?: LicenceStatus | undefined;
  plan?: Plan | undefined;
  trialEndsAt?: Date | undefined;
  /** `null`: as many agents as they like. */
  seats?: number | null | undefined;
}

/** What was not given stays. A licence that ends or begins anew is felt by whoever is connected at once. */
export const updateOrganization = async (
  scope: PlatformScope,
  { id, ...changes }: OrganizationChanges & { id: string },
): Promise<OrganizationRecord> => {
  requireOperator(scope.actor);
  const { id: organizationId } = await getOrganization(scope, id);
  const written = given(changes);
  await openOrganizationScope(scope.services, scope.actor, organizationId).transaction(async (tx) => {
    if (Object.keys(written).length === 0) return;
    await takeTurn(tx);
    await tx.db.updateTable('organizations').where('id', '=', organizationId).set(written).execute();
    if (changes.status === 'expired' || changes.status === 'blocked') await stopAccepting(tx);
    tx.emit({ type: 'credentials_changed', organizationId });
  });
  return getOrganization(scope, organizationId);
};
