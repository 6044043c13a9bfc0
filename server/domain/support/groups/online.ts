import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

/** Deleted groups exist only for archives and visits. */
export const activeGroups = (scope: OrganizationScope) => scope.from('groups').where('groups.deletedAt', 'is', null);

/** Agents of these groups who accept chats now. */
export const acceptingAgents = (scope: OrganizationScope, groupIds: number[]) => {
  const agents = scope
    .from('agents')
    .where('agents.deletedAt', 'is', null)
    .where('agents.status', '=', 'accepting chats')
    .where('agents.away', '=', false);
  if (groupIds.includes(ALL_AGENTS)) return agents;
  return agents.where((eb) =>
    eb.exists(
      eb
        .selectFrom('agentGroups')
        .whereRef('agentGroups.organizationId', '=', 'agents.organizationId')
        .whereRef('agentGroups.agentId', '=', 'agents.id')
        .where('agentGroups.groupId', 'in', groupIds)
        .select('agentGroups.agentId'),
    ),
  );
};

/** Removes deleted groups; without any left, group 0 remains. */
export const withoutDeletedGroups = async (scope: OrganizationScope, groupIds: number[]): Promise<number[]> => {
  const rows = await activeGroups(scope).where('id', 'in', groupIds).select('id').execute();
  return rows.length > 0 ? rows.map(({ id }) => id) : [ALL_AGENTS];
};

export const assertGroupsExist = async (scope: OrganizationScope, groupIds: number[]): Promise<void> => {
  const rows = await activeGroups(scope).where('id', 'in', groupIds).select('id').execute();
  const existing = new Set(rows.map(({ id }) => id));
  const missing = groupIds.find((id) => !existing.has(id));
  if (missing !== undefined) throw new DomainError('group_not_found', 'Group not found');
};
