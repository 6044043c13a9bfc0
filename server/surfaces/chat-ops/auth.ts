import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { identifyAgent } from '#server/domain/agents/identify.ts';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { readBasic, readBearer } from '#server/http/credentials.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';

const PER_AGENT = { perSecond: 50, burst: 200 };

const assertVersion = ({ headers }: FastifyRequest): void => {
  const version = headers['x-api-version'];
  if (version !== undefined && version !== '2')
    throw new DomainError('unsupported_version', 'X-API-Version must be 2, or be left out');
};

/**
 * Pages of other sites are turned away by name. Without CORS headers they could read nothing anyway, except by JSONP
 * with a password that the browser remembers.
 */
const refuseOtherSites = ({ headers }: FastifyRequest): void => {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site')
    throw new DomainError('forbidden', 'Cross-domain browser requests are denied: call from a server');
};

const readCredential = (request: FastifyRequest): { login?: string; apiKey: string } => {
  const basic = readBasic(request);
  return basic ? { login: basic.user, apiKey: basic.password } : { apiKey: readBearer(request) ?? '' };
};

/** An agent by login and API key, or by the key alone. An expired licence may still read what it has. */
export const authenticateAgent = (ctx: Context): ((request: FastifyRequest) => Promise<OrganizationScope>) => {
  const limit = createRateLimiter(PER_AGENT, ctx.config.rateLimits);
  return async (request) => {
    assertVersion(request);
    refuseOtherSites(request);
    const { organizationId, actor } = await identifyAgent(ctx.database, ctx.services, readCredential(request));
    limit(`${organizationId} ${actor.id}`);
    return openOrganizationScope(ctx.services, actor, organizationId);
  };
};

/** Browsers are not asked for a password: they would keep it and send it along with other sites' scripts. */
export const challenge = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 401) {
      const isBrowser = request.headers['sec-fetch-site'] !== undefined;
      const schemes = ['Bearer realm="Parley"', ...(isBrowser ? [] : ['Basic realm="Parley", charset="UTF-8"'])];
      reply.header('www-authenticate', schemes.join(', '));
    }
    return payload;
  });
};
