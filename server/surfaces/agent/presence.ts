import * as contract from '#contracts/agent/presence.ts';
import { requireAgent } from '#server/domain/access.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listAgentStatuses } from '#server/domain/support/agents/presence/list-statuses.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { signOutRemotely } from '#server/domain/support/agents/sign-in/sign-out.ts';
import { type Action, action } from '#server/http/route.ts';
import { presentStatus, readStatus } from '#server/surfaces/chat-v3/routing-status.ts';

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
