import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Browser } from '#server/domain/access.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { Cause } from '#server/domain/events.ts';
import { isUuid } from '#server/domain/ids.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import type { CustomerCredential } from '#server/domain/support/customers/identify.ts';
import { readBrowser } from '#server/http/browser.ts';
import { readBearer } from '#server/http/credentials.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';

export interface Credential {
  /** `Bearer <token>` */
  authorization: string | undefined;
  /** The organization named in the URL. */
  organizationId: string | undefined;
  /** The client address. */
  ip?: string | undefined;
}

/** Authenticates customers over HTTP and on sockets. Rejects banned, expired and foreign tokens. */
export const openCustomerGate = (ctx: Context) => {
  const limit = createClassLimiter('customer', ctx.config.rateLimits);
  const exists = async (id: string): Promise<boolean> =>
    isUuid(id) &&
    (await ctx.database.kysely.selectFrom('organizations').where('id', '=', id).select('id').executeTakeFirst()) !==
      undefined;

  /** A missing organization is reported before anything about the token. */
  const refuse = async (error: unknown, organizationId: string): Promise<never> => {
    if (error instanceof DomainError && error.code === 'authentication' && !(await exists(organizationId))) {
      throw new DomainError('license_not_found', 'License not found');
    }
    throw error;
  };

  const verifyCredential = async ({
    authorization,
    organizationId: requested,
    ip,
  }: Credential): Promise<CustomerCredential> => {
    if (!requested) throw new DomainError('validation', '`organization_id` is required in the query');
    const organizationId = requested.toLowerCase();
    try {
      const credential = await ctx.customers.identify(readBearer({ headers: { authorization } }) ?? '', ip);
      if (credential.organizationId !== organizationId) throw new DomainError('authentication', 'Authentication error');
      // Loaded now, because presenters are synchronous and need to know which properties customers may see.
      await ctx.services.support.properties.load(organizationId);
      return credential;
    } catch (error) {
      return refuse(error, organizationId);
    }
  };

  return {
    verifyCredential,
    /** Authenticates one request and applies the rate limits. */
    identify: async (claim: Credential): Promise<CustomerCredential> => {
      const credential = await verifyCredential(claim);
      limit.caller(credential.customerId);
      limit.organization(credential.organizationId);
      return credential;
    },
    enter: (
      { customerId, organizationId }: CustomerCredential,
      cause?: Cause,
      browser: Browser = {},
    ): OrganizationScope =>
      openOrganizationScope(ctx.services, { kind: 'customer', id: customerId, browser }, organizationId, cause),
  };
};

export type CustomerGate = ReturnType<typeof openCustomerGate>;

export const authenticateCustomer =
  (gate: CustomerGate) =>
  async (request: FastifyRequest): Promise<OrganizationScope> => {
    const { organization_id: organizationId } = request.query as { organization_id?: unknown };
    const { authorization } = request.headers;
    const credential = await gate.identify({
      authorization,
      organizationId: typeof organizationId === 'string' ? organizationId : undefined,
      ip: request.ip,
    });
    return gate.enter(credential, undefined, readBrowser(request.headers, request.ip));
  };
