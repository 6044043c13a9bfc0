import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { PartnerTimestamp } from './values.ts';

export const ApiToken = Type.Object({
  id: Type.Integer(),
  token: Type.String({ description: 'The secret, in full' }),
  creation_timestamp: PartnerTimestamp,
  label: Type.String(),
});
export type ApiToken = Static<typeof ApiToken>;

export const createToken = defineOperation({
  name: 'create_token',
  method: 'POST',
  path: '/v2/partners/tokens',
  audit: true,
  summary: 'Creates an API token',
  body: Type.Object({
    label: Type.String({ minLength: 3, maxLength: 100, description: 'Unique among the active tokens' }),
  }),
  responses: { 201: ApiToken },
  errors: [409],
});

export const listTokens = defineOperation({
  name: 'list_tokens',
  method: 'GET',
  path: '/v2/partners/tokens',
  // The response contains the secrets.
  audit: true,
  summary: 'The active API tokens',
  responses: { 200: Type.Object({ result: Type.Array(ApiToken) }) },
});

export const revokeToken = defineOperation({
  name: 'revoke_token',
  method: 'DELETE',
  path: '/v2/partners/tokens/:id',
  audit: true,
  summary: 'Revokes an API token',
  params: Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'The id of an active token' }) }),
  responses: { 204: null },
});
