import type { Executor } from '#server/storage/executor.ts';
import { consumeEmailToken, openEmailToken, validEmailTokens } from '../../../accounts/agents/email-tokens.ts';
import { invalid, invalidLink } from '../../../errors.ts';
import { hashNewPassword } from '../../../passwords.ts';
import type { Services } from '../../../scope.ts';

/** Stricter than the minimum of the API. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 1024;

export const assertPasswordLength = (password: string): void => {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH)
    throw invalid('password', `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
};

/** Returns the login that an emailed link activates. */
export const readActivation = async (executor: Executor, services: Services, secret: string): Promise<string> => {
  const { id, scope } = await openEmailToken(executor, services, secret);
  const found = await validEmailTokens(scope, id, 'activation').executeTakeFirst();
  if (found?.passwordHash !== null) throw invalidLink();
  return found.login;
};

/** Sets the password of the agent who received the secret by email. It works once, even for concurrent requests. */
export const activateAgent = async (
  executor: Executor,
  services: Services,
  { secret, password }: { secret: string; password: string },
): Promise<void> => {
  assertPasswordLength(password);
  const { id, scope } = await openEmailToken(executor, services, secret);
  const login = await readActivation(executor, services, secret);
  const passwordHash = await hashNewPassword(password, [login]);
  await scope.transaction(async (tx) => {
    const found = await consumeEmailToken(tx, id, 'activation');
    if (found.passwordHash !== null) throw invalidLink();
    await tx.update('agents').where('id', '=', found.login).set({ passwordHash }).execute();
  });
};
