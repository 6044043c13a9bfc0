import * as contract from '#contracts/oauth/index.ts';
import type { Context } from '#server/context.ts';
import { ACCESS_SECONDS, exchangeTokens } from '#server/domain/accounts/oauth/exchange.ts';
import { type IdentifiedToken, revokeIdentifiedToken } from '#server/domain/accounts/oauth/tokens.ts';
import { readBasic } from '#server/http/credentials.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';

const PER_ADDRESS = { perSecond: 10, burst: 100 };

const tokenRoute = route<IdentifiedToken>();

export const tokenRoutes = (ctx: Context): Route<IdentifiedToken>[] => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  return [
    tokenRoute(contract.issueTokens, async ({ body, request }) => {
      limit(request.ip);
      // A client may also authenticate in the header.
      const basic = readBasic(request);
      const client = basic ? { client_id: basic.user, client_secret: basic.password } : {};
      const issued = await exchangeTokens(ctx.database, ctx.services, { ...body, ...client } as Record<string, string>);
      return {
        access_token: issued.accessToken,
        account_id: issued.agentId,
        expires_in: ACCESS_SECONDS,
        organization_id: issued.organizationId,
        refresh_token: issued.refreshToken,
        scope: issued.scopes.join(','),
        token_type: 'Bearer' as const,
      };
    }),
    tokenRoute(contract.revokeToken, async ({ scope: held }) => {
      await revokeIdentifiedToken(ctx.services, held);
      return {};
    }),
    tokenRoute(contract.getTokenInfo, ({ scope: held }) => ({
      access_token: held.token,
      account_id: held.agentId,
      client_id: held.clientId,
      expires_in: Math.floor((held.expiresAt.getTime() - ctx.clock.now().getTime()) / 1000),
      organization_id: held.organizationId,
      scope: held.scopes.join(','),
      token_type: 'Bearer' as const,
    })),
  ];
};
