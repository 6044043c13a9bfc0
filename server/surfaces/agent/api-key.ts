import * as contract from '#contracts/agent/api-key.ts';
import type { Context } from '#server/context.ts';
import { requireAgent } from '#server/domain/access.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { revealApiKey } from '#server/domain/support/agents/profile/reveal-api-key.ts';
import { type Route, route } from '#server/http/route.ts';

/** Passwords and codes count as sign-in attempts, which needs the client address of an HTTP request. */
export const apiKeyRoutes = ({ signInLimits }: Context): Route<OrganizationScope>[] => [
  route<OrganizationScope>()(contract.revealApiKey, async ({ body, request, scope }) => {
    const { id: login } = requireAgent(scope.actor);
    const refundPassword = await signInLimits.passwords(request, login);
    const code = body.code || undefined;
    const refundCode = code && (await signInLimits.codes(request, { organizationId: scope.organizationId, login }));
    const api_key = await revealApiKey(scope, { currentPassword: body.current_password, code });
    await refundPassword();
    if (refundCode) await refundCode();
    return { api_key };
  }),
];
