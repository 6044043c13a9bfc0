import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Email, Name, oneOf } from '../values.ts';

export const createOrganization = defineOperation({
  name: 'create_organization',
  method: 'POST',
  path: '/operator/v1/organizations',
  summary: 'Creates an organization with its owner',
  body: Type.Object({
    name: Name(),
    owner: Type.Object({
      login: Email(),
      name: Name(),
      password: Type.String({ minLength: 5, maxLength: 200 }),
    }),
    plan: Type.Optional(oneOf('starter', 'team', 'business', 'enterprise')),
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
