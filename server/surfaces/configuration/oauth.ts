import * as contract from '#contracts/configuration/oauth.ts';
import { deleteClient, listClients, registerClient } from '#server/domain/accounts/oauth/clients.ts';
import { listGrants, revokeGrant } from '#server/domain/accounts/oauth/grants.ts';
import { readScopes } from '#server/domain/accounts/oauth/scopes.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

const agentRoute = route<OrganizationScope>();

export const oauthRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.registerOauthClient, async ({ body, scope }) => {
    const { id, secret } = await registerClient(scope, {
      name: body.name,
      redirectUris: body.redirect_uris,
      scopes: readScopes(body.scopes.join(',')),
      confidential: body.type === 'confidential',
    });
    return { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
  }),
  agentRoute(contract.listOauthClients, async ({ scope }) =>
    (await listClients(scope)).map(({ id, name, redirectUris, scopes, confidential, createdBy, createdAt }) => ({
      ...{ client_id: id, name, redirect_uris: redirectUris, scopes },
      type: confidential ? ('confidential' as const) : ('public' as const),
      ...{ created_by: createdBy, created_at: toTimestamp(createdAt) },
    })),
  ),
  agentRoute(contract.deleteOauthClient, async ({ body, scope }) => {
    await deleteClient(scope, { id: body.client_id });
    return {};
  }),
  agentRoute(contract.listOauthGrants, async ({ scope }) =>
    (await listGrants(scope)).map(({ id, clientId, clientName, agentId, scopes, ...grant }) => ({
      ...{ id, client_id: clientId, client_name: clientName, agent_id: agentId, scopes },
      ...{ access_tokens: grant.accessTokens, refresh_tokens: grant.refreshTokens },
      ...{ granted_at: toTimestamp(grant.grantedAt), expires_at: toTimestamp(grant.expiresAt) },
    })),
  ),
  agentRoute(contract.revokeOauthGrant, async ({ body, scope }) => {
    await revokeGrant(scope, { id: body.id });
    return {};
  }),
];
