import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { readBearer } from '#server/http/credentials.ts';

/** The customer of the token and the token itself, which these operations are about. */
export interface TokenHolder {
  scope: OrganizationScope;
  token: string;
  customerId: string;
  clientId: string;
  expiresAt: Date;
}

export const authenticateTokenHolder =
  (ctx: Context) =>
  async (request: FastifyRequest): Promise<TokenHolder> => {
    const { code } = request.query as { code?: unknown };
    const token = readBearer(request) ?? (typeof code === 'string' ? code : '');
    const { organizationId, customerId, clientId, expiresAt } = await ctx.customers.identify(token, request.ip);
    return {
      scope: openOrganizationScope(ctx.services, { kind: 'customer', id: customerId }, organizationId),
      token,
      customerId,
      clientId,
      expiresAt,
    };
  };
