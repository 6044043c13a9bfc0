import type { OrganizationScope } from '#server/domain/scope.ts';
import { randomSecret } from '#server/domain/secrets.ts';

const HOUR_MS = 3600_000;

/** The secret of a link that an agent got: to choose another password, or to sign in. */
export const buildLink = async (
  scope: OrganizationScope,
  agentId: string,
  kind: 'reset' | 'sign_in',
): Promise<string> => {
  const secret = randomSecret();
  const createdAt = scope.now();
  const expiresAt = new Date(createdAt.getTime() + HOUR_MS);
  await scope
    .insert('agentEmailTokens', { id: scope.services.secrets.hash(secret), agentId, kind, createdAt, expiresAt })
    .execute();
  return secret;
};
