import type { OrganizationScope } from '#server/domain/scope.ts';
import { randomSecret } from '#server/domain/secrets.ts';

const HOUR_MS = 3600_000;

/** Creates an email token for a password reset or a sign-in link, and returns its secret. */
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
