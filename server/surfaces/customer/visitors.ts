import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { assertProductVersion } from '#server/domain/accounts/licenses/product-version.ts';
import { DomainError } from '#server/domain/errors.ts';
import { isUuid } from '#server/domain/ids.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { assertAddressAllowed } from '#server/domain/support/customers/bans.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';

type Authenticate = (request: FastifyRequest) => Promise<OrganizationScope>;

/** Public operations only need the id of an organization with an active license. A token is checked if one is sent. */
export const openVisitorScope = (ctx: Context, authenticate: Authenticate): Authenticate => {
  const limit = createClassLimiter('anonymous_customer', ctx.config.rateLimits);

  const findLicense = (id: string) =>
    ctx.database.kysely
      .selectFrom('organizations')
      .where('id', '=', id)
      .select(['id', 'status', 'productVersion'])
      .executeTakeFirst();

  return async (request) => {
    const { organization_id: requested } = request.query as { organization_id?: unknown };
    if (request.headers.authorization !== undefined || typeof requested !== 'string' || requested === '')
      return authenticate(request);
    limit.address(request.ip);
    const license = isUuid(requested) ? await findLicense(requested) : undefined;
    if (!license) throw new DomainError('license_not_found', 'License not found');
    if (license.status === 'expired' || license.status === 'blocked')
      throw new DomainError('license_expired', 'License expired');
    assertProductVersion(license.productVersion);
    limit.organization(license.id);
    const scope = openOrganizationScope(ctx.services, { kind: 'visitor' }, license.id);
    await assertAddressAllowed(scope, request.ip);
    return scope;
  };
};
