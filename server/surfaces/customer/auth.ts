import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { isUuid } from '#server/domain/ids.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { readBearer } from '#server/http/credentials.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';

const PER_CUSTOMER = { perSecond: 20, burst: 100 };
const PER_ORGANIZATION = { perSecond: 2_000, burst: 10_000 };

const askedOrganization = (request: FastifyRequest): string => {
  const id = (request.query as Record<string, unknown>).organization_id;
  if (typeof id !== 'string' || id === '')
    throw new DomainError('validation', '`organization_id` is required in the query');
  return id;
};

/** A customer token and the organization it was issued for. Banned, expired and foreign ones end here. */
export const authenticateCustomer = (ctx: Context): ((request: FastifyRequest) => Promise<OrganizationScope>) => {
  const limitCustomer = createRateLimiter(PER_CUSTOMER, ctx.config.rateLimits);
  const limitOrganization = createRateLimiter(PER_ORGANIZATION, ctx.config.rateLimits);
  const exists = async (id: string): Promise<boolean> =>
    isUuid(id) &&
    (await ctx.database.kysely.selectFrom('organizations').where('id', '=', id).select('id').executeTakeFirst()) !==
      undefined;

  /** An organization that does not exist is said before anything about the token. */
  const refuse = async (error: unknown, organizationId: string): Promise<never> => {
    if (error instanceof DomainError && error.code === 'authentication' && !(await exists(organizationId))) {
      throw new DomainError('licence_not_found', 'License not found');
    }
    throw error;
  };

  return async (request) => {
    const organizationId = askedOrganization(request).toLowerCase();
    try {
      const credential = await ctx.customers.identify(readBearer(request) ?? '');
      if (credential.organizationId !== organizationId) throw new DomainError('authentication', 'Authentication error');
      limitCustomer(credential.customerId);
      limitOrganization(organizationId);
      return openOrganizationScope(ctx.services, { kind: 'customer', id: credential.customerId }, organizationId);
    } catch (error) {
      return refuse(error, organizationId);
    }
  };
};
