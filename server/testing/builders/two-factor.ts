import type { OrganizationScope } from '#server/domain/scope.ts';
import { checkPassword, completeSignIn } from '#server/domain/support/agents/sign-in/sign-in.ts';
import { newTotpSecret, totpCode, totpStepAt } from '#server/domain/support/agents/sign-in/totp.ts';

/** Adds a two-factor device to an agent. If it is confirmed, sign-in requires a code. */
export const buildTwoFactorDevice = async (scope: OrganizationScope, login: string, { confirmed = true } = {}) => {
  const secret = newTotpSecret();
  const at = scope.now();
  const secretSealed = scope.services.secrets.seal(secret);
  const confirmedAt = confirmed ? at : null;
  await scope.insert('agentTwoFactor', { agentId: login, secretSealed, createdAt: at, confirmedAt }).execute();
  return { secret, code: () => totpCode(secret, totpStepAt(scope.now())) };
};

/** Completes the password step of sign-in and returns the ticket for the code step. */
export const signInWithPassword = async ({ services }: OrganizationScope, login: string): Promise<string> => {
  const [account] = await checkPassword(services.executor, { login, password: 'a long password' });
  const result = await completeSignIn(services, account, undefined);
  if (!('ticket' in result)) throw new Error('Sign-in did not require a code');
  return result.ticket;
};
