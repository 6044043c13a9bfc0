import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { requireAgent } from '../../../access.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import type { OrganizationScope } from '../../../scope.ts';

/** Lists the statuses of all agents or of the agents in these groups. */
export const listAgentStatuses = (
  scope: OrganizationScope,
  { groupIds }: { groupIds?: number[] | undefined },
): Promise<{ agentId: string; status: AgentStatus }[]> => {
  requireAgent(scope.actor);
  const all = scope
    .from('agents')
    .where('agents.deletedAt', 'is', null)
    .select(['agents.id as agentId', 'agents.status'])
    .orderBy('agents.id');
  if (groupIds === undefined || groupIds.includes(ALL_AGENTS)) return all.execute();
  const members = scope
    .from('agentGroups')
    .where('groupId', '=', (eb) => eb.fn.any(eb.val(groupIds)))
    .select('agentId');
  return all.where('agents.id', 'in', members).execute();
};
