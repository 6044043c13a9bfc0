import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

/** A group that was deleted is there for archives and visits alone. */
export const livingGroups = (scope: OrganizationScope) => scope.from('groups').where('groups.deletedAt', 'is', null);

/** Agents of any of these groups who take chats now. */
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

/** What is left of a chat's groups; whoever has none left is everybody's. */
export const withoutDeleted = async (scope: OrganizationScope, groupIds: number[]): Promise<number[]> => {
  const rows = await livingGroups(scope).where('id', 'in', groupIds).select('id').execute();
  return rows.length > 0 ? rows.map(({ id }) => id) : [ALL_AGENTS];
};

export const assertGroupsExist = async (scope: OrganizationScope, groupIds: number[]): Promise<void> => {
  const rows = await livingGroups(scope).where('id', 'in', groupIds).select('id').execute();
  const known = new Set(rows.map(({ id }) => id));
  const missing = groupIds.find((id) => !known.has(id));
  if (missing !== undefined) throw new DomainError('group_not_found', 'Group not found');
};
