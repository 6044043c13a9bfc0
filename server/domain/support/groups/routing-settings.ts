import { requireAdministrator, requireAgent } from '../../access.ts';
import { definedFields } from '../../defined-fields.ts';
import { DomainError, invalid } from '../../errors.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';
import { withRerouting } from '../routing/reroute.ts';
import { activeGroups, assertGroupsExist } from './online.ts';

export interface GroupRouting {
  /** The group whose agents answer when no agent of this group accepts chats. */
  fallbackGroupId: number | null;
  botsFirst: boolean;
}

export const getGroupRouting = async (
  scope: OrganizationScope,
  { groupId }: { groupId: number },
): Promise<GroupRouting> => {
  requireAgent(scope.actor);
  const row = await activeGroups(scope)
    .where('id', '=', groupId)
    .select(['fallbackGroupId', 'botsFirst'])
    .executeTakeFirst();
  if (!row) throw new DomainError('group_not_found', 'Group not found');
  return row;
};

type Change<T> = { [K in keyof T]?: T[K] | undefined };

/**
 * Absent fields stay unchanged. Queued chats are rerouted, since other agents may answer now. Cycles of fallbacks are
 * harmless.
 */
export const updateGroupRouting = async (
  scope: OrganizationScope,
  { groupId, fallbackGroupId, botsFirst }: { groupId: number } & Change<GroupRouting>,
): Promise<void> => {
  requireAdministrator(scope.actor);
  if (fallbackGroupId === groupId) throw invalid('fallbackGroupId', 'must be another group');
  const change = definedFields({ fallbackGroupId, botsFirst });
  await scope.transaction(async (tx) => {
    await lockOrganization(tx);
    await assertGroupsExist(tx, fallbackGroupId == null ? [groupId] : [groupId, fallbackGroupId]);
    if (Object.keys(change).length === 0) return;
    await withRerouting(tx, () => tx.update('groups').where('id', '=', groupId).set(change).execute());
  });
};

/** Timeouts in minutes; 0 means never. */
export interface RoutingSettings {
  /** Closes chats without messages for this long. */
  idleCloseMinutes: number;
  /** Reassigns chats that are unanswered for this long; `null` means never too. */
  unassignMinutes: number | null;
  /** Removes customers from the queue who are gone for this long. */
  abandonMinutes: number;
}

const MAX_MINUTES = 1440;

const fields = {
  idleCloseMinutes: 'idle_close_minutes',
  unassignMinutes: 'unassign_minutes',
  abandonMinutes: 'abandon_minutes',
} as const;

const checkMinutes = (field: string, minutes: number | null | undefined): void => {
  if (minutes == null) return;
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > MAX_MINUTES)
    throw invalid(field, `must be an integer from 0 to ${MAX_MINUTES}`);
};

export const getRoutingSettings = (scope: OrganizationScope): Promise<RoutingSettings> => {
  requireAgent(scope.actor);
  return scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select(['idleCloseMinutes', 'unassignMinutes', 'abandonMinutes'])
    .executeTakeFirstOrThrow();
};

/** Absent fields stay unchanged. Applies to ongoing chats too. */
export const updateRoutingSettings = async (
  scope: OrganizationScope,
  input: Change<RoutingSettings>,
): Promise<void> => {
  requireAdministrator(scope.actor);
  for (const name of Object.keys(fields) as (keyof RoutingSettings)[]) checkMinutes(fields[name], input[name]);
  const { idleCloseMinutes, unassignMinutes, abandonMinutes } = input;
  const change = definedFields({ idleCloseMinutes, unassignMinutes, abandonMinutes });
  if (Object.keys(change).length === 0) return;
  await scope.db.updateTable('organizations').where('id', '=', scope.organizationId).set(change).execute();
};
