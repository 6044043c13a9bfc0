import type { OrganizationScope } from '#server/domain/scope.ts';
import { signIn } from '#server/domain/support/agents/sign-in/sign-in.ts';
import { newTotpSecret, totpCode, totpStepAt } from '#server/domain/support/agents/sign-in/totp.ts';

/** The device of an agent; with `confirmed` a code is asked for at sign-in. */
export const buildDevice = async (scope: OrganizationScope, login: string, { confirmed = true } = {}) => {
  const secret = newTotpSecret();
  const at = scope.now();
  const secretSealed = scope.services.secrets.seal(secret);
  const confirmedAt = confirmed ? at : null;
  await scope.insert('agentTwoFactor', { agentId: login, secretSealed, createdAt: at, confirmedAt }).execute();
  return { secret, code: () => totpCode(secret, totpStepAt(scope.now())) };
};

/** Whoever has a device, after the right password. */
export const passFirstStep = async ({ services }: OrganizationScope, login: string): Promise<string> => {
  const answer = await signIn(services.executor, services, { login, password: 'a long password' });
  if (!('ticket' in answer)) throw new Error('No code was asked for');
  return answer.ticket;
};
