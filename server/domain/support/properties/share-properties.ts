import type { Properties } from '#server/storage/tables/chats.ts';
import { requireAdministrator } from '../../access.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { activeGroups } from '../groups/online.ts';
import { checkProperties, mergeWithinLimit } from './check-properties.ts';

/** Sets properties of the whole account and leaves the others unchanged. */
export const updateLicenseProperties = async (scope: OrganizationScope, input: Properties): Promise<void> => {
  requireAdministrator(scope.actor);
  checkProperties(await scope.services.support.properties.load(scope.organizationId), scope.actor, 'license', input);
  await scope.transaction(async ({ db, organizationId }) => {
    const old = await db
      .selectFrom('organizations')
      .where('id', '=', organizationId)
      .select('properties')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const properties = JSON.stringify(mergeWithinLimit(old.properties, input).properties);
    await db.updateTable('organizations').where('id', '=', organizationId).set({ properties }).execute();
  });
};

/** Does the same for one group. */
export const updateGroupProperties = async (
  scope: OrganizationScope,
  groupId: number,
  input: Properties,
): Promise<void> => {
  requireAdministrator(scope.actor);
  checkProperties(await scope.services.support.properties.load(scope.organizationId), scope.actor, 'group', input);
  await scope.transaction(async (tx) => {
    const group = activeGroups(tx).where('id', '=', groupId);
    const old = await group.select('properties').forNoKeyUpdate().executeTakeFirst();
    if (!old) throw new DomainError('group_not_found', 'Group not found');
    const properties = JSON.stringify(mergeWithinLimit(old.properties, input).properties);
    await tx.update('groups').where('id', '=', groupId).set({ properties }).execute();
  });
};
