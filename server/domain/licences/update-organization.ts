import type { LicenceStatus, Plan } from '#server/storage/tables/organizations.ts';
import { requireOperator } from '../access.ts';
import { changeStatus } from '../agents/change-status.ts';
import { takeTurn } from '../routing/take-turn.ts';
import { type OrganizationScope, openOrganizationScope, type PlatformScope, type Transaction } from '../scope.ts';
import { getOrganization, type OrganizationRecord } from './organizations.ts';

export interface OrganizationChanges {
  status?: LicenceStatus | undefined;
  plan?: Plan | undefined;
  trialEndsAt?: Date | undefined;
  /** `null`: as many agents as they like. */
  seats?: number | null | undefined;
}

/** Everything can still be read, but nobody takes chats any more. */
export const stopAccepting = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  const accepting = await tx
    .from('agents')
    .where('status', '=', 'accepting chats')
    .where('deletedAt', 'is', null)
    .select('id')
    .execute();
  for (const { id } of accepting)
    await changeStatus(tx, { agentId: id, status: 'not accepting chats', reason: 'licence_ended' });
};

const given = <T extends object>(changes: T): Partial<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<T>;

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
