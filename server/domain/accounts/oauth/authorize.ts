import { randomUUID } from 'node:crypto';
import type { Executor } from '#server/storage/executor.ts';
import { findOauthClient } from '#server/storage/platform.ts';
import { requireAgent } from '../../access.ts';
import { DomainError } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
import { matchesRedirectUri } from './redirect-uris.ts';
import { readScopes, rejectOauthTokens, type Scope } from './scopes.ts';

const CODE_LIFETIME_MS = 5 * 60_000;

/** The parameters of an authorization request. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  responseType: string;
  scope?: string | undefined;
  codeChallenge?: string | undefined;
  codeChallengeMethod?: string | undefined;
}

const UNSAFE_REASONS = {
  client_id_not_found: 'This app is not registered.',
  redirect_uri_not_set: 'This app has no redirect URL.',
  invalid_redirect_uri: 'This redirect URL is not registered for the app.',
};

/** An error that must not be reported to the redirect URL, because the URL or its owner is unknown. */
export class UnsafeRequestError extends DomainError {
  constructor(reason: keyof typeof UNSAFE_REASONS) {
    super('validation', `${UNSAFE_REASONS[reason]} (${reason})`);
  }
}

export interface CheckedRequest {
  organizationId: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
  codeChallenge?: string;
  codeChallengeMethod?: 'plain' | 'S256';
}

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

const readChallenge = ({ codeChallenge, codeChallengeMethod = 'plain' }: AuthorizationRequest, isPublic: boolean) => {
  if (codeChallenge === undefined) {
    if (isPublic) throw new DomainError('validation', 'A client without a secret must send a code_challenge');
    return {};
  }
  if (codeChallengeMethod !== 'plain' && codeChallengeMethod !== 'S256')
    throw new DomainError('validation', 'code_challenge_method must be S256 or plain');
  // Anyone who sees a plain challenge can use the code, and a public client has no secret that would prevent it.
  if (isPublic && codeChallengeMethod !== 'S256')
    throw new DomainError('validation', 'A client without a secret must use the code_challenge_method S256');
  if (!CHALLENGE.test(codeChallenge))
    throw new DomainError(
      'validation',
      'code_challenge must have 43 to 128 characters from A-Z, a-z, 0-9, -, ., _ and ~',
    );
  return { codeChallenge, codeChallengeMethod } as const;
};

/** Checks the client and the redirect URI first: only then may errors be reported to that URI. */
export const findRequester = async (
  executor: Executor,
  { clientId, redirectUri }: Pick<AuthorizationRequest, 'clientId' | 'redirectUri'>,
) => {
  const client = isUuid(clientId) ? await findOauthClient(executor, clientId) : undefined;
  if (!client) throw new UnsafeRequestError('client_id_not_found');
  if (redirectUri === '') throw new UnsafeRequestError('redirect_uri_not_set');
  const isPublic = client.secretHash === null;
  if (!matchesRedirectUri(redirectUri, { redirectUris: client.redirectUris, isPublic }))
    throw new UnsafeRequestError('invalid_redirect_uri');
  return client;
};

export const checkRequest = async (executor: Executor, request: AuthorizationRequest): Promise<CheckedRequest> => {
  const client = await findRequester(executor, request);
  if (request.responseType !== 'code') throw new DomainError('validation', 'response_type must be code');
  const granted = client.scopes as Scope[];
  const requested = request.scope ? readScopes(request.scope) : granted;
  if (requested.some((scope) => !granted.includes(scope)))
    throw new DomainError('forbidden', 'The client is not allowed to request this scope');
  return {
    organizationId: client.organizationId,
    clientId: client.id,
    clientName: client.name,
    redirectUri: request.redirectUri,
    scopes: requested,
    ...readChallenge(request, client.secretHash === null),
  };
};

/** Issues a single-use authorization code that is valid for five minutes. */
export const issueCode = async (scope: OrganizationScope, request: CheckedRequest): Promise<string> => {
  rejectOauthTokens(scope.actor);
  const { id: agentId } = requireAgent(scope.actor);
  if (request.organizationId !== scope.organizationId)
    throw new DomainError('forbidden', 'The client belongs to another organization');
  const code = `${scope.services.installation.region}-${randomSecret()}`;
  const { clientId, redirectUri, scopes, codeChallenge = null, codeChallengeMethod = null } = request;
  await scope
    .insert('oauthCodes', {
      ...{ id: scope.services.secrets.hash(code), clientId, agentId, familyId: randomUUID(), redirectUri, scopes },
      ...{ codeChallenge, codeChallengeMethod, expiresAt: new Date(scope.now().getTime() + CODE_LIFETIME_MS) },
    })
    .execute();
  return code;
};
