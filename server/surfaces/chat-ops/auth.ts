import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { assertScope, type Scope } from '#server/domain/accounts/oauth/scopes.ts';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import {
  type IdentifiedAgent,
  identifyAgentOrApp,
  identifySession,
} from '#server/domain/support/agents/sign-in/identify.ts';
import { readBasic, readBearer } from '#server/http/credentials.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';
import { isFromOwnPage, readSession } from '#server/http/session-cookie.ts';
import { requiredScopes } from '#server/surfaces/chat-v3/agent-gate.ts';

/** Applies to every request, including unauthenticated ones. */
export const assertVersion = ({ headers }: FastifyRequest): void => {
  const version = headers['x-api-version'];
  if (version !== undefined && version !== '2')
    throw new DomainError('unsupported_version', 'X-API-Version must be 2, or be left out');
};

/**
 * Rejects pages of other sites explicitly. Without CORS headers they could not read responses anyway, except by JSONP
 * with a password stored in the browser.
 */
const rejectOtherSites = ({ headers }: FastifyRequest): void => {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site')
    throw new DomainError('forbidden', 'Cross-domain browser requests are denied: call from a server');
};

const readCredential = (request: FastifyRequest): { login?: string; apiKey: string } => {
  const basic = readBasic(request);
  return basic ? { login: basic.user, apiKey: basic.password } : { apiKey: readBearer(request) ?? '' };
};

const isReadRequest = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** With an expired license everything can still be read. */
const assertLicense = ({ licenseStatus }: IdentifiedAgent, request: FastifyRequest): void => {
  if ((licenseStatus === 'expired' || licenseStatus === 'blocked') && !isReadRequest(request))
    throw new DomainError('license_expired', 'License expired');
};

/**
 * A browser sends the cookie with everything a page loads. JSONP would leak data to any page, and changes must come
 * from the server's own pages.
 */
const assertSameSiteUse = (request: FastifyRequest, ownUrl: string): void => {
  const { callback } = request.query as { callback?: unknown };
  if (callback !== undefined) throw new DomainError('forbidden', 'JSONP is not allowed with the session cookie');
  if (!isReadRequest(request) && !isFromOwnPage(request, ownUrl))
    throw new DomainError('forbidden', 'Cross-domain browser requests are denied: call from a server');
};

/** The agent of a public operation, if the request has an `Authorization` header. The session cookie does not count. */
export const identifyOptionalAgent = async (
  ctx: Context,
  request: FastifyRequest,
  scope: Scope,
): Promise<IdentifiedAgent | undefined> => {
  if (request.headers.authorization === undefined) return undefined;
  rejectOtherSites(request);
  const agent = await identifyAgentOrApp(ctx.database, ctx.services, readCredential(request));
  assertScope(agent.actor, scope);
  return agent;
};

/** Accepts login and API key, the API key alone, an OAuth access token, or the session cookie. */
export const authenticateAgent = (ctx: Context): ((request: FastifyRequest) => Promise<OrganizationScope>) => {
  const limit = createClassLimiter('agent', ctx.config.rateLimits).caller;
  const identify = async (request: FastifyRequest): Promise<IdentifiedAgent> => {
    const session = request.headers.authorization === undefined ? readSession(request) : undefined;
    if (session === undefined) return identifyAgentOrApp(ctx.database, ctx.services, readCredential(request));
    assertSameSiteUse(request, ctx.publicUrl());
    return identifySession(ctx.database, ctx.services, session);
  };
  return async (request) => {
    rejectOtherSites(request);
    const agent = await identify(request);
    const { organizationId, actor } = agent;
    assertScope(actor, ...requiredScopes(request.routeOptions.config.operation!));
    assertLicense(agent, request);
    limit(`${organizationId} ${actor.id}`);
    return openOrganizationScope(ctx.services, actor, organizationId);
  };
};

/** Browsers get no Basic challenge: they would store the password and send it with other sites' scripts. */
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
