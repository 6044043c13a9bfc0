import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contracts/accounts/customer-tokens.ts';
import type { Context } from '#server/context.ts';
import { getLicensedOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import { DomainError, invalid } from '#server/domain/errors.ts';
import { openOrganizationScope, openPlatformScope } from '#server/domain/scope.ts';
import { identifyAgent } from '#server/domain/support/agents/sign-in/identify.ts';
import { assertAddressAllowed } from '#server/domain/support/customers/bans.ts';
import {
  type IssuedToken,
  issueAgentToken,
  issueCookieToken,
  revokeToken,
} from '#server/domain/support/customers/tokens.ts';
import { readBrowser } from '#server/http/browser.ts';
import { readBasic, readBearer } from '#server/http/credentials.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import { assertTrustedOrigin, isForeignSite } from '#server/http/trusted-origin.ts';
import type { TokenHolder } from './auth.ts';
import { readIdentity, writeIdentity } from './cookies.ts';

const PER_ADDRESS = { perSecond: 20, burst: 200 };

interface Grant {
  grant_type: 'cookie' | 'agent_token';
  client_id: string;
  entity_id?: string;
  organizationId: string | undefined;
  groupId?: number;
}

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
    throw new DomainError('authentication', 'The agent_token grant requires the credential of an agent');
  return identifyAgent(ctx.database, ctx.services, { apiKey, login: basic?.user });
};

export const customerTokenRoutes = (ctx: Context): Route<TokenHolder>[] => {
  const tokenRoute = route<TokenHolder>();
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const platform = openPlatformScope(ctx.services, { kind: 'system' });

  const issueForAgent = async ({ organizationId: requested, groupId, ...grant }: Grant, request: FastifyRequest) => {
    const { organizationId, actor } = await agentOf(ctx, request);
    if (requested !== undefined && requested.toLowerCase() !== organizationId)
      throw new DomainError('forbidden', 'This agent belongs to another organization');
    await getLicensedOrganization(platform, organizationId);
    const scope = openOrganizationScope(ctx.services, actor, organizationId);
    const input = { clientId: grant.client_id, customerId: grant.entity_id, groupId };
    return presentToken(await issueAgentToken(scope, input), organizationId);
  };

  const issue = async (grant: Grant, request: FastifyRequest, reply: FastifyReply) => {
    limit(request.ip);
    if (grant.grant_type === 'agent_token') return issueForAgent(grant, request);
    const { organizationId, groupId, client_id: clientId } = grant;
    if (!organizationId) throw invalid('organization_id', 'is required');
    const organization = await getLicensedOrganization(platform, organizationId);
    assertTrustedOrigin(request, organization.trustedDomains);
    const scope = openOrganizationScope(ctx.services, { kind: 'system' }, organization.id);
    await assertAddressAllowed(scope, request.ip);
    const browser = readBrowser(request.headers, request.ip);
    const issued = await issueCookieToken(scope, { clientId, groupId, browser, identity: readIdentity(request) });
    if (isForeignSite(request.headers.origin, ctx.publicUrl())) ctx.partners.milestones.noteInstalled(organization.id);
    // Browsers send cookies of the longest path first, so those of the group precede the general ones.
    const path = groupId === undefined ? '/v2/customer' : `/v2/customer/${organizationId}/${groupId}`;
    writeIdentity(reply, issued.identity, { path, tls: ctx.publicUrl().startsWith('https:') });
    return presentToken(issued, organization.id);
  };

  return [
    tokenRoute(contract.createCustomerToken, ({ body, request, reply }) =>
      issue({ ...body, organizationId: body.organization_id }, request, reply),
    ),
    tokenRoute(contract.createGroupCustomerToken, ({ params, body, request, reply }) =>
      issue({ ...body, organizationId: params.organization_id, groupId: params.group_id }, request, reply),
    ),
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
