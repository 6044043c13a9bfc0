import * as contract from '#contracts/agent/sessions.ts';
import { requestEmailConfirmation } from '#server/domain/accounts/agents/confirm-agent.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { getCurrentAgent } from '#server/domain/support/agents/profile/get-current-agent.ts';
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
} from '#server/domain/support/agents/sign-in/own-sessions.ts';
import { type Action, action } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { presentSignedInAgent } from '#server/surfaces/chat-v3/present-session.ts';

const sessionAction = action<OrganizationScope>();

export const sessionActions: Action<OrganizationScope>[] = [
  sessionAction(contract.getSession, async ({ scope }) => {
    const { session, ...current } = await getCurrentAgent(scope);
    if (!session) return presentSignedInAgent(current);
    const { id, createdAt, expiresAt } = session;
    const times = { created_at: toTimestamp(createdAt), expires_at: toTimestamp(expiresAt) };
    return { ...presentSignedInAgent(current), session: { id, ...times } };
  }),
  sessionAction(contract.listSessions, async ({ scope }) =>
    (await listSessions(scope)).map(({ id, current, browser, userAgent, ip, ...times }) => ({
      ...{ id, current, browser, user_agent: userAgent, ip },
      ...{ created_at: toTimestamp(times.createdAt), last_used_at: toTimestamp(times.lastUsedAt) },
      expires_at: toTimestamp(times.expiresAt),
    })),
  ),
  sessionAction(contract.revokeSession, async ({ body, scope }) => {
    await revokeSession(scope, { id: body.id });
    return {};
  }),
  sessionAction(contract.requestEmailConfirmation, async ({ scope }) => {
    await requestEmailConfirmation(scope);
    return {};
  }),
  sessionAction(contract.revokeOtherSessions, async ({ scope }) => ({ revoked: await revokeOtherSessions(scope) })),
];
