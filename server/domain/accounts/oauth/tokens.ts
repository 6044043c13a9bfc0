import type { Executor } from '#server/storage/executor.ts';
import { findOauthToken } from '#server/storage/platform.ts';
import { DomainError } from '../../errors.ts';
import { assertRegion } from '../../region.ts';
import { openOrganizationScope, type Services } from '../../scope.ts';
import { endFamily } from './end-family.ts';
import type { Scope } from './scopes.ts';

/** The owner of an access or refresh token. */
export interface IdentifiedToken {
  token: string;
  kind: 'access' | 'refresh';
  organizationId: string;
  agentId: string;
  clientId: string;
  familyId: string;
  scopes: Scope[];
  expiresAt: Date;
}

export const identifyToken = async (
  executor: Executor,
  services: Services,
  token: string,
): Promise<IdentifiedToken> => {
  assertRegion(token, services.installation.region);
  const found = await findOauthToken(executor, services.secrets.hash(token));
  if (!found || found.usedAt || found.expiresAt <= services.clock.now())
    throw new DomainError('authentication', 'The token is not valid');
  const { kind, organizationId, login: agentId, clientId, familyId, scopes, expiresAt } = found;
  return { token, kind, organizationId, agentId, clientId, familyId, scopes: scopes as Scope[], expiresAt };
};

/** Revoking an access token affects it alone; revoking a refresh token revokes the whole grant. */
export const revokeIdentifiedToken = async (services: Services, held: IdentifiedToken): Promise<void> => {
  const scope = openOrganizationScope(services, { kind: 'system' }, held.organizationId);
  await scope.transaction(async (tx) => {
    if (held.kind === 'refresh') return void (await endFamily(tx, held.familyId));
    await tx.remove('oauthTokens').where('id', '=', services.secrets.hash(held.token)).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
