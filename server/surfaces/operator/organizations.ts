import * as contract from '#contracts/operator/organizations.ts';
import { createOrganization } from '#server/domain/licences/organizations.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';

export const organizationRoutes: Route<PlatformScope>[] = [
  route<PlatformScope>()(contract.createOrganization, async ({ body, scope }) => {
    const { organization, owner } = await createOrganization(scope, body);
    return {
      organization_id: organization.id,
      license_id: organization.licenceNumber,
      owner: { login: owner.login, api_key: owner.apiKey },
    };
  }),
];
