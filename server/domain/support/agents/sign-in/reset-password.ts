import type { Executor } from '#server/storage/executor.ts';
import { findPasswords } from '#server/storage/platform.ts';
import { newApiKey } from '../../../accounts/agents/create-agent.ts';
import {
  consumeEmailToken,
  openEmailToken,
  revokeEmailTokens,
  sendReset,
  validEmailTokens,
} from '../../../accounts/agents/email-tokens.ts';
import { invalidLink } from '../../../errors.ts';
import { hashNewPassword } from '../../../passwords.ts';
import { openOrganizationScope, type Services } from '../../../scope.ts';
import { assertPasswordLength } from '../profile/activate-agent.ts';

/** Confirmed accounts come first. Anyone can create accounts that name an address and request resets for it. */
const MAX_RESETS = 5;

/** Emails a reset link for each account of this login. Unknown logins are not reported to the caller. */
export const mailPasswordResets = async (executor: Executor, services: Services, login: string): Promise<void> => {
  const accounts = await findPasswords(executor, { login: login.trim().toLowerCase() }, MAX_RESETS);
  for (const { organizationId, login } of accounts)
    await openOrganizationScope(services, { kind: 'system' }, organizationId).transaction((tx) => sendReset(tx, login));
};

/** Sets a new password for the agent who received the secret by email, and ends all sessions. */
export const resetPassword = async (
  executor: Executor,
  services: Services,
  {
    secret,
    password,
    shouldResetApiKey = false,
  }: { secret: string; password: string; shouldResetApiKey?: boolean | undefined },
): Promise<void> => {
  assertPasswordLength(password);
  const { id, scope } = await openEmailToken(executor, services, secret);
  // Hashing is slow, so invalid links are rejected before it.
  const found = await validEmailTokens(scope, id, 'reset').executeTakeFirst();
  if (!found) throw invalidLink();
  const passwordHash = await hashNewPassword(password, [found.login]);
  await scope.transaction(async (tx) => {
    const { login } = await consumeEmailToken(tx, id, 'reset');
    const { apiKeyHash, apiKeySealed } = newApiKey(tx);
    const keys = shouldResetApiKey ? { apiKeyHash, apiKeySealed } : {};
    await tx
      .update('agents')
      .where('id', '=', login)
      .set({ passwordHash, ...keys })
      .execute();
    await tx.remove('agentSessions').where('agentId', '=', login).execute();
    await revokeEmailTokens(tx, login);
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
