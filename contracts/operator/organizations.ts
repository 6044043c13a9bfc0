import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Email, Int32, Name, Nullable, oneOf, Timestamp } from '../values.ts';

const Plan = oneOf('starter', 'team', 'business', 'enterprise');
const Status = oneOf('trial', 'active', 'expired', 'blocked');

export const createOrganization = defineOperation({
  name: 'create_organization',
  method: 'POST',
  path: '/operator/v1/organizations',
  audit: true,
  summary: 'Creates an organization with its owner',
  body: Type.Object({
    name: Name(),
    owner: Type.Object({
      login: Email(),
      name: Name(),
      password: Type.String({ minLength: 5, maxLength: 200 }),
    }),
    plan: Type.Optional(Plan),
    region: Type.Optional(oneOf('dal', 'fra')),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name' })),
  }),
  responses: {
    201: Type.Object({
      organization_id: Type.String(),
      license_id: Type.Integer(),
      owner: Type.Object({ login: Type.String(), api_key: Type.String() }),
    }),
  },
});

export const Organization = Type.Object({
  organization_id: Type.String(),
  license_id: Type.Integer(),
  name: Type.String(),
  plan: Plan,
  status: Status,
  region: Type.String(),
  timezone: Type.String(),
  seats: Nullable(Int32({ description: '`null`: unlimited' })),
  trial_ends_at: Type.Optional(Timestamp),
  paid_until: Type.Optional(Timestamp),
  created_at: Timestamp,
});

const params = Type.Object({ organization_id: Type.String({ maxLength: 64 }) });

export const listOrganizations = defineOperation({
  name: 'list_organizations',
  method: 'GET',
  path: '/operator/v1/organizations',
  summary: 'All organizations, oldest first',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Int32({ minimum: 0, description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      organizations: Type.Array(Organization),
      next: Type.Optional(Int32({ description: 'Absent on the last page' })),
    }),
  },
});

export const getOrganization = defineOperation({
  name: 'get_organization',
  method: 'GET',
  path: '/operator/v1/organizations/:organization_id',
  summary: 'One organization',
  params,
  responses: { 200: Organization },
});

export const updateOrganization = defineOperation({
  name: 'update_organization',
  method: 'PATCH',
  path: '/operator/v1/organizations/:organization_id',
  audit: true,
  summary: 'Changes the license of an organization; absent fields stay unchanged',
  description:
    'While a license is `expired` or `blocked`, its agents can read but take no chats, and its customers are rejected. A subscription is paused while the license is `blocked`, and closed by `expired`.',
  params,
  body: Type.Object({
    status: Type.Optional(Status),
    plan: Type.Optional(Plan),
    trial_ends_at: Type.Optional(Type.String({ format: 'date-time' })),
    seats: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100_000 }))),
  }),
  responses: { 200: Organization },
});
