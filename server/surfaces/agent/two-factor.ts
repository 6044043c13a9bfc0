import * as contract from '#contracts/agent/two-factor.ts';
import type { Context } from '#server/context.ts';
import { requireAgent } from '#server/domain/access.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  confirmTwoFactor,
  listTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
} from '#server/domain/support/agents/sign-in/two-factor.ts';
import { type Action, action, type Call, type Route, route } from '#server/http/route.ts';

/** These count as sign-in attempts because they check passwords, which needs the client address of an HTTP request. */
export const twoFactorRoutes = ({ signInLimits }: Context): Route<OrganizationScope>[] => {
  const count = async (
    { request, scope }: Pick<Call<never, OrganizationScope>, 'request' | 'scope'>,
    code?: string,
  ): Promise<void> => {
    const { id: login } = requireAgent(scope.actor);
    await signInLimits.passwords(request, login);
    if (code !== undefined) await signInLimits.codes(request, { organizationId: scope.organizationId, login });
  };
  const passwordRoute = route<OrganizationScope>();
  return [
    passwordRoute(contract.setUpTwoFactor, async (call) => {
      await count(call);
      return setUpTwoFactor(call.scope, call.body);
    }),
    passwordRoute(contract.renewRecoveryCodes, async (call) => {
      await count(call, call.body.code);
      return { recovery_codes: await renewRecoveryCodes(call.scope, call.body) };
    }),
    passwordRoute(contract.turnOffTwoFactor, async (call) => {
      const { password, code, agent_id } = call.body;
      await count(call, code);
      await turnOffTwoFactor(call.scope, { password, code, login: agent_id ?? undefined });
      return {};
    }),
  ];
};

export const twoFactorActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.confirmTwoFactor, async ({ body, scope }) => ({
    recovery_codes: await confirmTwoFactor(scope, body),
  })),
  action<OrganizationScope>()(contract.listTwoFactor, async ({ scope }) =>
    (await listTwoFactor(scope)).map(({ login, enabled }) => ({ agent_id: login, enabled })),
  ),
];
