import * as contract from '#contracts/chat-ops/agents.ts';
import { getAgent, listAgents } from '#server/domain/agents/list-agents.ts';
import type { AgentRecord } from '#server/domain/agents/records.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toFlag, toUnixSeconds } from './present.ts';

const agentRoute = route<OrganizationScope>();

const presentSummary = ({ name, permission, avatar, login, status }: AgentRecord): contract.AgentSummary => ({
  name,
  permission,
  avatar,
  login,
  status,
});

const presentAgent = (agent: AgentRecord): contract.Agent => {
  const { notifications } = agent;
  return {
    ...presentSummary(agent),
    job_title: agent.jobTitle,
    login_status: agent.loginStatus,
    daily_summary: toFlag(agent.dailySummary),
    notifications: {
      new_visitor: toFlag(notifications.new_visitor),
      incoming_chat: toFlag(notifications.incoming_chat),
      returning_visitor: toFlag(notifications.returning_visitor),
      queued_visitor: toFlag(notifications.queued_visitor),
      visitor_is_typing: toFlag(notifications.visitor_is_typing),
      new_goal: toFlag(notifications.new_goal),
    },
    max_chats_count: agent.maxChatsCount,
    groups: agent.groups,
    // 0: never yet.
    last_logout: agent.lastLogoutAt ? toUnixSeconds(agent.lastLogoutAt) : 0,
    ...(agent.apiKey ? { api_key: agent.apiKey } : {}),
  };
};

export const agentRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listAgents, async ({ query, scope }) =>
    (await listAgents(scope, { status: query.status })).map(presentSummary),
  ),
  agentRoute(contract.getAgent, async ({ params, scope }) => presentAgent(await getAgent(scope, params))),
];
