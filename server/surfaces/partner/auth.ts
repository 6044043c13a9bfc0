import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { identifyPartner } from '#server/domain/partners/accounts/identify.ts';
import { openPartnerScope, type PartnerScope } from '#server/domain/scope.ts';
import { readBearer } from '#server/http/credentials.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';

const PER_PARTNER = { perSecond: 20, burst: 100 };

/** Blocked partners are accepted too: they earn nothing, but may read and manage their account. */
export const authenticatePartner = (ctx: Context): ((request: FastifyRequest) => Promise<PartnerScope>) => {
  const limit = createRateLimiter(PER_PARTNER, ctx.config.rateLimits);
  return async (request) => {
    const { partnerId } = await identifyPartner(ctx.database, ctx.services, readBearer(request) ?? '');
    limit(String(partnerId));
    return openPartnerScope(ctx.services, { kind: 'partner', id: partnerId }, partnerId);
  };
};
