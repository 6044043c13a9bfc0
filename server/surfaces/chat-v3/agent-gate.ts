import type { FastifyRequest } from 'fastify';
import type { Operation } from '#contracts/operation.ts';
import { assertScope } from '#server/domain/accounts/oauth/scopes.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { Cause } from '#server/domain/events.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import {
  type IdentifiedAgent,
  identifyAgentOrApp,
  identifySession,
} from '#server/domain/support/agents/sign-in/identify.ts';
import { readBasic, readBearer } from '#server/http/credentials.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';
import { isFromOwnPage, readSession } from '#server/http/session-cookie.ts';

export interface Credential {
  /** `Bearer <API key>` or `Basic <login and API key>`. */
  authorization?: string | undefined;
  /** The organization named in the request, if any. */
  organizationId: string | undefined;
  /** The session cookie, if one of the server's own pages sent it. */
  session?: string | undefined;
}

interface GateParts {
  config: { rateLimits: boolean };
  database: Parameters<typeof identifySession>[0];
  services: Services;
}

const hasEnded = ({ licenseStatus }: IdentifiedAgent): boolean =>
  licenseStatus === 'expired' || licenseStatus === 'blocked';

/** The types of the contracts require scopes; an operation without them must not become callable by every program. */
export const requiredScopes = ({ name, scopes }: Pick<Operation, 'name' | 'scopes'>) => {
  if (!scopes) throw new Error(`Operation ${name} declares no OAuth scopes`);
  return scopes;
};

/** Authenticates agents and checks their permissions, over HTTP and on sockets. */
export const openAgentGate = (ctx: GateParts) => {
  const limit = createClassLimiter('agent', ctx.config.rateLimits).caller;

  const find = async ({ authorization, session }: Credential): Promise<IdentifiedAgent> => {
    if (authorization === undefined && session !== undefined)
      return identifySession(ctx.database, ctx.services, session);
    const headers = { authorization };
    const basic = readBasic({ headers });
    const apiKey = basic?.password ?? readBearer({ headers });
    if (!apiKey) throw new DomainError('authentication', 'Authentication error');
    return identifyAgentOrApp(ctx.database, ctx.services, { apiKey, login: basic?.user });
  };

  const verifyCredential = async (credential: Credential): Promise<IdentifiedAgent> => {
    const agent = await find(credential);
    const { organizationId } = credential;
    if (organizationId !== undefined && organizationId.toLowerCase() !== agent.organizationId)
      throw new DomainError('authentication', 'Authentication error');
    return agent;
  };

  return {
    publicUrl: ctx.services.installation.publicUrl,
    verifyCredential,
    /** Authenticates one request and applies the rate limit. A recent result can be reused. */
    identify: async (credential: Credential, recent?: IdentifiedAgent): Promise<IdentifiedAgent> => {
      const agent = recent ?? (await verifyCredential(credential));
      limit(`${agent.organizationId} ${agent.actor.id}`);
      // Loaded now, because presenting events is synchronous.
      await ctx.services.support.properties.load(agent.organizationId);
      return agent;
    },
    /** With an expired license everything can still be read. */
    enter: (
      agent: IdentifiedAgent,
      operation: Pick<Operation, 'name' | 'scopes' | 'reads'>,
      cause?: Cause,
    ): OrganizationScope => {
      assertScope(agent.actor, ...requiredScopes(operation));
      if (hasEnded(agent) && !operation.reads) throw new DomainError('license_expired', 'License expired');
      return openOrganizationScope(ctx.services, agent.actor, agent.organizationId, cause);
    },
  };
};

export type AgentGate = ReturnType<typeof openAgentGate>;

export const authenticateAgent =
  (gate: AgentGate) =>
  async (request: FastifyRequest): Promise<OrganizationScope> => {
    const { organization_id: organizationId } = request.query as { organization_id?: unknown };
    const agent = await gate.identify({
      authorization: request.headers.authorization,
      organizationId: organizationId === undefined ? undefined : String(organizationId),
      session: isFromOwnPage(request, gate.publicUrl()) ? readSession(request) : undefined,
    });
    return gate.enter(agent, request.routeOptions.config.operation!);
  };
