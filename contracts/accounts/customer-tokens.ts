import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, oneOf } from '../values.ts';

const ClientId = Type.String({ minLength: 1, maxLength: 128 });

const grant = {
  grant_type: oneOf('cookie', 'agent_token'),
  client_id: ClientId,
  response_type: Type.Literal('token'),
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
  entity_id: Type.Optional(Type.String({ maxLength: 64, description: 'agent_token: an existing customer' })),
};

/** The token, for clients that cannot set a header. */
const TokenQuery = Type.Object({ code: Type.Optional(Type.String({ maxLength: 512 })) });

const Token = Type.Object({
  access_token: Type.String(),
  client_id: Type.String(),
  entity_id: Type.String(),
  expires_in: Type.Integer(),
  token_type: Type.Literal('Bearer'),
  organization_id: Type.String(),
});

export const createCustomerToken = defineOperation({
  name: 'create_customer_token',
  method: 'POST',
  path: '/v2/customer/token',
  audit: false,
  summary: 'Issues a customer access token',
  description:
    'Grant `cookie`: the customer of a browser, identified by the cookies `__lc_cid` and `__lc_cst`. Grant `agent_token`: a server acting for a customer, with an agent’s credential in the Authorization header. The body is read as JSON whatever its content type.',
  public: true,
  body: Type.Object({ ...grant, organization_id: Type.Optional(Type.String({ maxLength: 64 })) }),
  responses: { 200: Token },
});

export const createGroupCustomerToken = defineOperation({
  name: 'create_group_customer_token',
  method: 'POST',
  path: '/v2/customer/:organization_id/:group_id/token',
  audit: false,
  summary: 'Issues a customer access token for an identity that belongs to one group',
  description: 'Like the token for the whole organization, but a browser is a different customer in each group.',
  public: true,
  params: Type.Object({ organization_id: Type.String({ maxLength: 64 }), group_id: Int32() }),
  body: Type.Object(grant),
  responses: { 200: Token },
});

export const getCustomerTokenInfo = defineOperation({
  name: 'get_customer_token_info',
  method: 'GET',
  path: '/v2/customer/info',
  summary: 'The owner and the lifetime of the token',
  query: TokenQuery,
  responses: { 200: Token },
});

export const revokeCustomerToken = defineOperation({
  name: 'revoke_customer_token',
  method: 'DELETE',
  path: '/v2/customer/token',
  audit: false,
  summary: 'Revokes the token of the request',
  query: TokenQuery,
  responses: { 200: Empty },
});
