import type { Selectable } from 'kysely';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import { requireAgent } from '../../../access.ts';
import { planOf } from '../../../accounts/licenses/plan.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import { notFound } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { AgentRecord } from '../records.ts';

const activeAgents = (scope: OrganizationScope) => scope.from('agents').where('agents.deletedAt', 'is', null);

const toAgent = (row: Selectable<AgentsTable>, groups: AgentRecord['groups']): AgentRecord => ({
  login: row.id,
  name: row.name,
  jobTitle: row.jobTitle,
  avatar: row.avatar,
  permission: row.permission,
  loginStatus: row.loginStatus,
  status: row.status,
  dailySummary: row.dailySummary,
  notifications: row.notifications,
  maxChatsCount: row.maxChatsCount,
  groups,
  ...(row.lastLogoutAt ? { lastLogoutAt: row.lastLogoutAt } : {}),
});

export const listAgents = async (
  scope: OrganizationScope,
  { status }: { status?: AgentStatus | undefined },
): Promise<AgentRecord[]> => {
  requireAgent(scope.actor);
  const all = activeAgents(scope).where('kind', '=', 'person').selectAll().orderBy('createdAt').orderBy('id');
  const rows = await (status ? all.where('status', '=', status) : all).execute();
  return rows.map((row) => toAgent(row, []));
};

export const getAgent = async (scope: OrganizationScope, { login }: { login: string }): Promise<AgentRecord> => {
  const caller = requireAgent(scope.actor);
  const row = await activeAgents(scope).where('id', '=', login.toLowerCase()).selectAll().executeTakeFirst();
  if (!row) throw notFound('Agent');
  const groups = await scope
    .from('groups')
    .innerJoin('agentGroups', (join) =>
      join
        .onRef('agentGroups.organizationId', '=', 'groups.organizationId')
        .onRef('agentGroups.groupId', '=', 'groups.id'),
    )
    .where('agentGroups.agentId', '=', row.id)
    .where('groups.id', '<>', ALL_AGENTS)
    .orderBy('groups.id')
    .select(['groups.id', 'groups.name'])
    .execute();
  const plan = await planOf(scope);
  const schedule = plan === 'enterprise' && row.kind === 'person' ? { workSchedule: row.workSchedule ?? {} } : {};
  // Shown only to callers who present it: apps and sessions must not obtain a credential that outlives them.
  const presentsKey = caller.id === row.id && !caller.scopes && !caller.session;
  const own = presentsKey ? { apiKey: scope.services.secrets.unseal(row.apiKeySealed) } : {};
  return { ...toAgent(row, groups), ...schedule, ...own };
};
