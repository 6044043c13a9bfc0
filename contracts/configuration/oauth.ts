import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, Name, oneOf, Timestamp } from '../values.ts';
import { configurationQuery as query } from './query.ts';

const areas = [
  ...['agents', 'groups', 'archives', 'goals', 'greetings', 'canned_responses'],
  ...['tags', 'tickets', 'visitors', 'reports', 'webhooks'],
];

const Scope = oneOf(...areas.flatMap((area) => [`${area}_read`, `${area}_write`]));
const Scopes = Type.Array(Scope, { minItems: 1, maxItems: 22 });
const Id = Type.String({ minLength: 1, maxLength: 64 });

const client = {
  name: Name(),
  redirect_uris: Type.Array(
    Type.String({ minLength: 1, maxLength: 2048, examples: ['https://app.example/callback'] }),
    {
      minItems: 1,
      maxItems: 20,
      description: 'https, or http on the machine itself; no query, fragment or `..`. Paths below are allowed too',
    },
  ),
  scopes: Scopes,
};

export const registerOauthClient = defineOperation({
  name: 'register_oauth_client',
  method: 'POST',
  path: '/v3.5/configuration/action/register_oauth_client',
  summary: 'Lets a program ask agents of this account to be let in',
  query,
  body: Type.Object({
    ...client,
    type: oneOf('confidential', 'public'),
  }),
  responses: {
    200: Type.Object({
      client_id: Type.String(),
      client_secret: Type.Optional(Type.String({ description: 'Told this once; none for a public client' })),
    }),
  },
});

export const listOauthClients = defineOperation({
  name: 'list_oauth_clients',
  method: 'POST',
  path: '/v3.5/configuration/action/list_oauth_clients',
  reads: true,
  summary: 'The programs that may ask',
  query,
  body: Type.Object({}),
  responses: {
    200: Type.Array(
      Type.Object({
        client_id: Type.String(),
        ...client,
        type: oneOf('confidential', 'public'),
        created_by: Type.String(),
        created_at: Timestamp,
      }),
    ),
  },
});

export const deleteOauthClient = defineOperation({
  name: 'delete_oauth_client',
  method: 'POST',
  path: '/v3.5/configuration/action/delete_oauth_client',
  summary: 'Removes a program and all its tokens',
  query,
  body: Type.Object({ client_id: Id }),
  responses: { 200: Empty },
});

export const listOauthGrants = defineOperation({
  name: 'list_oauth_grants',
  method: 'POST',
  path: '/v3.5/configuration/action/list_oauth_grants',
  reads: true,
  summary: 'What agents let programs do: one’s own, or all for the owner and administrators',
  query,
  body: Type.Object({}),
  responses: {
    200: Type.Array(
      Type.Object({
        id: Type.String(),
        client_id: Type.String(),
        client_name: Type.String(),
        agent_id: Type.String(),
        scopes: Type.Array(Scope),
        access_tokens: Int32(),
        refresh_tokens: Int32(),
        granted_at: Timestamp,
        expires_at: Timestamp,
      }),
    ),
  },
});

export const revokeOauthGrant = defineOperation({
  name: 'revoke_oauth_grant',
  method: 'POST',
  path: '/v3.5/configuration/action/revoke_oauth_grant',
  summary: 'Ends all tokens of one consent',
  query,
  body: Type.Object({ id: Id }),
  responses: { 200: Empty },
});
