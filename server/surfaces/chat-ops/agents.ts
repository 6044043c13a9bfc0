import * as contract from '#contracts/chat-ops/agents.ts';
import type { BodyOf } from '#contracts/operation.ts';
import type { Context } from '#server/context.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { addAgent } from '#server/domain/support/agents/profile/add-agent.ts';
import { deleteAgent } from '#server/domain/support/agents/profile/delete-agent.ts';
import { getAgent, listAgents } from '#server/domain/support/agents/profile/list-agents.ts';
import { resetApiKey } from '#server/domain/support/agents/profile/reset-api-key.ts';
import { updateAgent } from '#server/domain/support/agents/profile/update-agent.ts';
import { type Route, route } from '#server/http/route.ts';
import { createTryLimit } from '#server/http/sign-in-limit.ts';
import { dropEmpty, readFlag } from './present.ts';
import { presentAgent, presentSummary } from './present-agent.ts';

const agentRoute = route<OrganizationScope>();

/** An API key must not allow guessing the agent's password. */
const PASSWORDS = { burst: 10, refillSeconds: 30 };

const readNotifications = (flags: contract.Notifications | undefined) =>
  flags && Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag === 1]));

const readSchedule = (days: BodyOf<typeof contract.updateAgent>['work_scheduler']) =>
  days &&
  Object.fromEntries(Object.entries(days).map(([day, shift]) => [day, { ...shift, enabled: shift.enabled === 1 }]));

const readProfile = (body: BodyOf<typeof contract.createAgent> | BodyOf<typeof contract.updateAgent>) => ({
  jobTitle: body.job_title,
  loginStatus: body.login_status,
  password: body.password,
  groupIds: body.groups && dropEmpty(body.groups),
  notifications: readNotifications(body.notifications),
  dailySummary: readFlag(body.daily_summary),
  maxChatsCount: body.max_chats_count,
});

export const agentRoutes = (ctx: Context): Route<OrganizationScope>[] => {
  const limitPasswords = createTryLimit(ctx.services, PASSWORDS, ctx.config.signInLimits);
  return [
    agentRoute(contract.listAgents, async ({ query, scope }) =>
      (await listAgents(scope, { status: query.status })).map(presentSummary),
    ),
    agentRoute(contract.getAgent, async ({ params, scope }) => presentAgent(await getAgent(scope, params))),
    agentRoute(contract.createAgent, async ({ body, scope }) => {
      const { login, name, permission } = body;
      return presentAgent(await addAgent(scope, { login, name, permission, ...readProfile(body) }));
    }),
    agentRoute(contract.updateAgent, async ({ params, body, scope }) => {
      const { name, permission, status, current_password: currentPassword } = body;
      if (body.password !== undefined && scope.actor.kind === 'agent')
        await limitPasswords(`by key ${scope.organizationId} ${scope.actor.id}`);
      const change = { name, permission, status, currentPassword, workSchedule: readSchedule(body.work_scheduler) };
      return presentAgent(await updateAgent(scope, { login: params.login, ...change, ...readProfile(body) }));
    }),
    ...[contract.resetApiKey, contract.resetApiKeyByPut].map((operation) =>
      agentRoute(operation, async ({ params, scope }) => presentAgent(await resetApiKey(scope, params))),
    ),
    agentRoute(contract.deleteAgent, async ({ params, scope }) => {
      await deleteAgent(scope, params);
      return { result: `${params.login.toLowerCase()} removed successfully` };
    }),
  ];
};
