import { Type } from 'typebox';
import { scopes } from '../scopes.ts';
import { Empty, Int32, Name, oneOf, Timestamp } from '../values.ts';
import { configurationAction } from './operation.ts';

const Scope = oneOf(...scopes);
const Scopes = Type.Array(Scope, { minItems: 1, maxItems: 22 });
const Id = Type.String({ minLength: 1, maxLength: 64 });

const client = {
  name: Name(),
  redirect_uris: Type.Array(
    Type.String({ minLength: 1, maxLength: 2048, examples: ['https://app.example/callback'] }),
    {
      minItems: 1,
      maxItems: 20,
      description: 'https, or http on localhost; without query, fragment or `..`. Paths below it are allowed too',
    },
  ),
  scopes: Scopes,
};

export const registerOauthClient = configurationAction({
  name: 'register_oauth_client',
  scopes: ['archives_write'],
  audit: true,
  summary: 'Registers an OAuth client that agents of this account can authorize',
  body: Type.Object({
    ...client,
    type: oneOf('confidential', 'public'),
  }),
  responses: {
    200: Type.Object({
      client_id: Type.String(),
      client_secret: Type.Optional(Type.String({ description: 'Returned only once; absent for a public client' })),
    }),
  },
});

export const listOauthClients = configurationAction({
  name: 'list_oauth_clients',
  scopes: ['archives_read'],
  reads: true,
  summary: 'Lists the OAuth clients of the account',
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

export const deleteOauthClient = configurationAction({
  name: 'delete_oauth_client',
  scopes: ['archives_write'],
  audit: true,
  summary: 'Deletes an OAuth client and revokes all its tokens',
  body: Type.Object({ client_id: Id }),
  responses: { 200: Empty },
});

export const listOauthGrants = configurationAction({
  name: 'list_oauth_grants',
  scopes: ['archives_read'],
  reads: true,
  summary: 'Lists grants to OAuth clients: the agent’s own, or all for the owner and administrators',
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

export const revokeOauthGrant = configurationAction({
  name: 'revoke_oauth_grant',
  scopes: ['archives_write'],
  audit: true,
  summary: 'Revokes all tokens of a grant',
  body: Type.Object({ id: Id }),
  responses: { 200: Empty },
});
