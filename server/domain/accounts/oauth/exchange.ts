import OAuth2Server, { type AuthorizationCode, type RefreshToken, type Token } from '@node-oauth/oauth2-server';
import type { Executor } from '#server/storage/executor.ts';
import { findOauthClient, type OauthClientRow } from '#server/storage/platform.ts';
import type { OauthTokenKind } from '#server/storage/tables/oauth.ts';
import { DomainError } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import { type OrganizationScope, openOrganizationScope, type Services, type Transaction } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
import { endFamily } from './end-family.ts';
import type { Scope } from './scopes.ts';

type Tx = Transaction<OrganizationScope>;

export const ACCESS_SECONDS = 28_800;
const REFRESH_SECONDS = 60 * 24 * 3600;
const MAX_TOKENS = 25;

/** The grant of a code or a refresh token. */
interface Holder {
  agentId: string;
  familyId: string;
}

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  agentId: string;
  organizationId: string;
  scopes: Scope[];
}

/** Expiry is checked by our clock before the library sees the token. */
const NEVER = new Date(8.64e15);

/** Beyond this number the oldest tokens are deleted. */
const prune = async (tx: Tx, clientId: string, agentId: string, kind: OauthTokenKind): Promise<void> => {
  const mine = tx
    .from('oauthTokens')
    .where('clientId', '=', clientId)
    .where('agentId', '=', agentId)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null);
  const newest = await mine.orderBy('number', 'desc').limit(MAX_TOKENS).select('number').execute();
  if (newest.length < MAX_TOKENS) return;
  await tx
    .remove('oauthTokens')
    .where('clientId', '=', clientId)
    .where('agentId', '=', agentId)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('number', '<', newest.at(-1)!.number)
    .execute();
};

const isActiveAgent = async (tx: Tx, agentId: string): Promise<boolean> =>
  (await tx.from('agents').where('id', '=', agentId).where('deletedAt', 'is', null).select('id').executeTakeFirst()) !==
  undefined;

const save = async (tx: Tx, token: Token, clientId: string, { agentId, familyId }: Holder): Promise<void> => {
  const { secrets } = tx.services;
  const createdAt = tx.now();
  const shared = { clientId, agentId, familyId, scopes: token.scope ?? [], createdAt };
  const row = (text: string, kind: OauthTokenKind, seconds: number) => ({
    ...{ ...shared, id: secrets.hash(text), kind, expiresAt: new Date(createdAt.getTime() + seconds * 1000) },
  });
  await tx
    .insert('oauthTokens', [
      row(token.accessToken, 'access', ACCESS_SECONDS),
      row(token.refreshToken!, 'refresh', REFRESH_SECONDS),
    ])
    .execute();
  for (const kind of ['access', 'refresh'] as const) await prune(tx, clientId, agentId, kind);
};

/**
 * The library implements the protocol; this model stores and checks the tokens in one transaction. A code or token that is used
 * twice was stolen, so everything issued for it is revoked.
 */
const createModel = (tx: Tx, row: OauthClientRow, requestedScopes: readonly string[]) => {
  const { secrets, installation } = tx.services;
  const client = { id: row.id, grants: ['authorization_code', 'refresh_token'], redirectUris: row.redirectUris };
  const newToken = async (): Promise<string> => `${installation.region}-${randomSecret()}`;
  return {
    getClient: async (_: string, secret?: string | null) => {
      if (row.secretHash === null) return secret ? false : client;
      return secret && secrets.hash(secret).equals(row.secretHash) ? client : false;
    },
    getAuthorizationCode: async (code: string): Promise<AuthorizationCode | false> => {
      const id = secrets.hash(code);
      const found = await tx.from('oauthCodes').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
      if (!found || found.clientId !== row.id) return false;
      if (found.usedAt) await endFamily(tx, found.familyId);
      if (found.usedAt || found.expiresAt <= tx.now() || !(await isActiveAgent(tx, found.agentId))) return false;
      const { redirectUri, scopes: scope, codeChallenge, codeChallengeMethod, agentId, familyId } = found;
      return {
        ...{ authorizationCode: code, expiresAt: NEVER, redirectUri, scope, client, user: { agentId, familyId } },
        ...(codeChallenge ? { codeChallenge, codeChallengeMethod: codeChallengeMethod! } : {}),
      };
    },
    revokeAuthorizationCode: async ({ authorizationCode }: AuthorizationCode): Promise<boolean> => {
      const id = secrets.hash(authorizationCode);
      await tx.update('oauthCodes').where('id', '=', id).set({ usedAt: tx.now() }).execute();
      return true;
    },
    getRefreshToken: async (refreshToken: string): Promise<RefreshToken | false> => {
      const id = secrets.hash(refreshToken);
      const found = await tx
        .from('oauthTokens')
        .where('id', '=', id)
        .where('kind', '=', 'refresh')
        .selectAll()
        .forUpdate()
        .executeTakeFirst();
      if (!found || found.clientId !== row.id) return false;
      if (found.usedAt) await endFamily(tx, found.familyId);
      if (found.usedAt || found.expiresAt <= tx.now() || !(await isActiveAgent(tx, found.agentId))) return false;
      const { scopes: scope, agentId, familyId } = found;
      // The library checks this only after it has used up the token.
      if (requestedScopes.some((requested) => !scope.includes(requested)))
        throw new OAuth2Server.InvalidScopeError('Invalid scope: the token does not have the requested scope');
      return { refreshToken, refreshTokenExpiresAt: NEVER, scope, client, user: { agentId, familyId } };
    },
    revokeToken: async ({ refreshToken }: RefreshToken): Promise<boolean> => {
      const id = secrets.hash(refreshToken);
      await tx.update('oauthTokens').where('id', '=', id).set({ usedAt: tx.now() }).execute();
      return true;
    },
    generateAccessToken: newToken,
    generateRefreshToken: newToken,
    saveToken: async (token: Token, _: OAuth2Server.Client, user: OAuth2Server.User): Promise<Token> => {
      await save(tx, token, row.id, user as Holder);
      return { ...token, client, user };
    },
    getAccessToken: async (): Promise<false> => false,
  };
};

export type TokenRequest = Record<string, string>;

const explain = (error: InstanceType<typeof OAuth2Server.OAuthError>): DomainError => {
  switch (error.name) {
    case 'invalid_grant':
      return new DomainError('authentication', error.message.replace('Invalid grant: ', ''));
    case 'invalid_client':
      return new DomainError('invalid_client', 'Unknown client or wrong client secret');
    case 'unauthorized_client':
      return new DomainError('forbidden', error.message);
    default:
      return new DomainError('validation', error.message);
  }
};

/** Exchanges a code or a refresh token. What a rejection revoked stays revoked. */
export const exchangeTokens = async (
  executor: Executor,
  services: Services,
  body: TokenRequest,
): Promise<IssuedTokens> => {
  const row = isUuid(body.client_id ?? '') ? await findOauthClient(executor, body.client_id!) : undefined;
  if (!row) throw new DomainError('invalid_client', 'Unknown client or wrong client secret');
  const scope = openOrganizationScope(services, { kind: 'system' }, row.organizationId);
  const outcome = await scope.transaction(async (tx) => {
    const isPublic = row.secretHash === null;
    const server = new OAuth2Server({
      model: createModel(tx, row, (body.scope ?? '').split(/\s+/).filter(Boolean)),
      ...{ accessTokenLifetime: ACCESS_SECONDS, refreshTokenLifetime: REFRESH_SECONDS, enablePlainPKCE: true },
      requireClientAuthentication: { authorization_code: !isPublic, refresh_token: !isPublic },
    });
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(text)),
    };
    const request = new OAuth2Server.Request({ method: 'POST', headers, query: {}, body });
    try {
      return { token: await server.token(request, new OAuth2Server.Response()) };
    } catch (error) {
      if (!(error instanceof OAuth2Server.OAuthError)) throw error;
      // An error on our side is not the caller's fault; the transaction is rolled back.
      if (error instanceof OAuth2Server.ServerError) throw (error as { inner?: Error }).inner ?? error;
      return { rejection: explain(error) };
    }
  });
  if ('rejection' in outcome) throw outcome.rejection;
  const { accessToken, refreshToken, scope: scopes, user } = outcome.token;
  return {
    ...{ accessToken, refreshToken: refreshToken!, scopes: (scopes ?? []) as Scope[] },
    ...{ agentId: (user as Holder).agentId, organizationId: row.organizationId },
  };
};
