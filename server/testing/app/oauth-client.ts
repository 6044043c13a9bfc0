import type { AgentActor } from '#server/domain/access.ts';
import { checkRequest, issueCode } from '#server/domain/accounts/oauth/authorize.ts';
import { registerClient } from '#server/domain/accounts/oauth/clients.ts';
import { exchangeTokens } from '#server/domain/accounts/oauth/exchange.ts';
import type { Scope } from '#server/domain/accounts/oauth/scopes.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import type { TestAgent, TestOrganization } from '../builders/factories.ts';
import type { TestApp } from './start-app.ts';

/** An OAuth client that an agent authorized. */
export interface TestOauthClient {
  clientId: string;
  clientSecret: string;
  accessToken: string;
  refreshToken: string;
  grantId: string;
}

const REDIRECT_URI = 'https://app.test/callback';

export const buildOauthClient = async (
  { context: { database, services } }: TestApp,
  organization: TestOrganization,
  { login }: TestAgent,
  scopes: Scope[],
  name = 'An OAuth client',
): Promise<TestOauthClient> => {
  const { id: clientId, secret } = await registerClient(organization.scope, {
    ...{ name, redirectUris: [REDIRECT_URI], scopes, confidential: true },
  });
  const { permission } = await organization.scope
    .from('agents')
    .where('id', '=', login)
    .select('permission')
    .executeTakeFirstOrThrow();
  const actor: AgentActor = { kind: 'agent', id: login, permission, groupIds: [0] };
  const checked = await checkRequest(database, { clientId, redirectUri: REDIRECT_URI, responseType: 'code' });
  const code = await issueCode(openOrganizationScope(services, actor, organization.id), checked);
  const { accessToken, refreshToken } = await exchangeTokens(database, services, {
    ...{ grant_type: 'authorization_code', client_id: clientId, client_secret: secret!, code },
    redirect_uri: REDIRECT_URI,
  });
  const { familyId } = await organization.scope
    .from('oauthTokens')
    .where('id', '=', services.secrets.hash(accessToken))
    .select('familyId')
    .executeTakeFirstOrThrow();
  return { clientId, clientSecret: secret!, accessToken, refreshToken, grantId: familyId };
};
