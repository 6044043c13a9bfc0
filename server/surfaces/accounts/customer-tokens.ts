import type { FastifyRequest } from 'fastify';
import * as contract from '#contracts/accounts/customer-tokens.ts';
import type { Context } from '#server/context.ts';
import { identifyAgent } from '#server/domain/agents/identify.ts';
import { type IssuedToken, issueAgentToken, issueCookieToken, revokeToken } from '#server/domain/customers/tokens.ts';
import { DomainError, invalid } from '#server/domain/errors.ts';
import { getLicensedOrganization } from '#server/domain/licences/organizations.ts';
import { openOrganizationScope, openPlatformScope } from '#server/domain/scope.ts';
import { readBasic, readBearer } from '#server/http/credentials.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import type { TokenHolder } from './auth.ts';
import { readIdentity, writeIdentity } from './cookies.ts';
import { assertTrustedOrigin } from './origins.ts';

const PER_ADDRESS = { perSecond: 20, burst: 200 };

const presentToken = (issued: IssuedToken, organizationId: string) => ({
  access_token: issued.token,
  client_id: issued.clientId,
  entity_id: issued.customerId,
  expires_in: issued.expiresInSeconds,
  token_type: 'Bearer' as const,
  organization_id: organizationId,
});

const agentOf = async (ctx: Context, request: FastifyRequest) => {
  const basic = readBasic(request);
  const apiKey = readBearer(request) ?? basic?.password;
  if (apiKey === undefined)
    throw new DomainError('authentication', 'The agent_token grant needs an agent’s credential');
  return identifyAgent(ctx.database, ctx.services, { apiKey, login: basic?.user });
};

export const customerTokenRoutes = (ctx: Context): Route<TokenHolder>[] => {
  const tokenRoute = route<TokenHolder>();
  const limit = createRateLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const platform = openPlatformScope(ctx.services, { kind: 'system' });
  return [
    tokenRoute(contract.createCustomerToken, async ({ body, request, reply }) => {
      limit(request.ip);
      if (body.grant_type === 'agent_token') {
        const { organizationId, actor } = await agentOf(ctx, request);
        await getLicensedOrganization(platform, organizationId);
        const scope = openOrganizationScope(ctx.services, actor, organizationId);
        return presentToken(
          await issueAgentToken(scope, { clientId: body.client_id, customerId: body.entity_id }),
          organizationId,
        );
      }
      if (!body.organization_id) throw invalid('organization_id', 'is required');
      const organization = await getLicensedOrganization(platform, body.organization_id);
      assertTrustedOrigin(request, organization.trustedDomains);
      const scope = openOrganizationScope(ctx.services, { kind: 'system' }, organization.id);
      const issued = await issueCookieToken(scope, { clientId: body.client_id, identity: readIdentity(request) });
      writeIdentity(reply, issued.identity, ctx.publicUrl().startsWith('https:'));
      return presentToken(issued, organization.id);
    }),
    tokenRoute(contract.getCustomerTokenInfo, async ({ scope: holder }) => {
      const { token, customerId, clientId, expiresAt, scope } = holder;
      const expiresInSeconds = Math.floor((expiresAt.getTime() - scope.now().getTime()) / 1000);
      return presentToken({ token, customerId, clientId, expiresInSeconds }, scope.organizationId);
    }),
    tokenRoute(contract.revokeCustomerToken, async ({ scope: { scope, token } }) => {
      await revokeToken(scope, token);
      return {};
    }),
  ];
};
