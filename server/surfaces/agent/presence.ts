import * as contract from '#contracts/agent/presence.ts';
import { presentStatus, readStatus } from '#server/dialects/routing-status.ts';
import { requireAgent } from '#server/domain/access.ts';
import { listAgentStatuses } from '#server/domain/agents/list-statuses.ts';
import { setAgentStatus } from '#server/domain/agents/set-status.ts';
import { signOutRemotely } from '#server/domain/agents/sign-out.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';

export const presenceActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.setRoutingStatus, async ({ body, scope }) => {
    const login = body.agent_id ?? requireAgent(scope.actor).id;
    await setAgentStatus(scope, { login, status: readStatus[body.status] });
    return {};
  }),
  action<OrganizationScope>()(contract.listRoutingStatuses, async ({ body, scope }) => {
    const statuses = await listAgentStatuses(scope, { groupIds: body.filters?.group_ids ?? undefined });
    return statuses.map(({ agentId, status }) => ({ agent_id: agentId, status: presentStatus[status] }));
  }),
  action<OrganizationScope>()(contract.logoutAgent, async ({ body, scope }) => {
    await signOutRemotely(scope, { login: body.agent_id });
    return {};
  }),
];
