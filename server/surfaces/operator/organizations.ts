import type { Static } from 'typebox';
import * as contract from '#contracts/operator/organizations.ts';
import { listOrganizations } from '#server/domain/accounts/licenses/list-organizations.ts';
import {
  createOrganization,
  getOrganization,
  type OrganizationRecord,
} from '#server/domain/accounts/licenses/organizations.ts';
import { updateOrganization } from '#server/domain/accounts/licenses/update-organization.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { readInstant } from './read-instant.ts';

const DEFAULT_LIMIT = 25;

const present = (organization: OrganizationRecord): Static<typeof contract.Organization> => ({
  organization_id: organization.id,
  license_id: organization.licenseNumber,
  name: organization.name,
  plan: organization.plan,
  status: organization.status,
  region: organization.region,
  timezone: organization.timezone,
  seats: organization.seats,
  ...(organization.trialEndsAt ? { trial_ends_at: toTimestamp(organization.trialEndsAt) } : {}),
  ...(organization.paidUntil ? { paid_until: toTimestamp(organization.paidUntil) } : {}),
  created_at: toTimestamp(organization.createdAt),
});

const operatorRoute = route<PlatformScope>();

export const organizationRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.createOrganization, async ({ body, scope }) => {
    const { organization, owner } = await createOrganization(scope, body);
    return {
      organization_id: organization.id,
      license_id: organization.licenseNumber,
      owner: { login: owner.login, api_key: owner.apiKey },
    };
  }),
  operatorRoute(contract.listOrganizations, async ({ query, scope }) => {
    const { after, limit = DEFAULT_LIMIT } = query;
    const { organizations, next } = await listOrganizations(scope, { after, limit });
    return { organizations: organizations.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.getOrganization, async ({ params, scope }) =>
    present(await getOrganization(scope, params.organization_id)),
  ),
  operatorRoute(contract.updateOrganization, async ({ params, body, scope }) => {
    const { trial_ends_at: ends, ...changes } = body;
    const trialEndsAt = readInstant('trial_ends_at', ends);
    return present(await updateOrganization(scope, { ...changes, id: params.organization_id, trialEndsAt }));
  }),
];
