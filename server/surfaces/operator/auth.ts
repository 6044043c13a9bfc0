import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { openPlatformScope, type PlatformScope } from '#server/domain/scope.ts';
import { equalSecrets } from '#server/domain/secrets.ts';
import { readBearer } from '#server/http/credentials.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';

const PER_ADDRESS = { perSecond: 50, burst: 200 };

/** Checks the operator token of the installation. */
export const authenticateOperator = (ctx: Context): ((request: FastifyRequest) => PlatformScope) => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  return (request) => {
    limit(request.ip);
    if (!equalSecrets(readBearer(request) ?? '', ctx.operatorToken))
      throw new DomainError('authentication', 'The operator token is missing or wrong');
    return openPlatformScope(ctx.services, { kind: 'operator' });
  };
};
