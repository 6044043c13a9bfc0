import type { Executor } from '#server/storage/executor.ts';
import {
  consumeEmailToken,
  noSuchLink,
  openEmailToken,
  validEmailTokens,
} from '../../../accounts/agents/email-tokens.ts';
import { invalid } from '../../../errors.ts';
import { hashPassword } from '../../../passwords.ts';
import type { Services } from '../../../scope.ts';

/** What people choose here is stronger than what the API asks for. */
export const MIN_CHOSEN_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 1024;

export const assertChosen = (password: string): void => {
  if (password.length < MIN_CHOSEN_LENGTH || password.length > MAX_PASSWORD_LENGTH)
    throw invalid('password', `must have ${MIN_CHOSEN_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
};

/** Whose account a mailed link activates. */
export const readActivation = async (executor: Executor, services: Services, secret: string): Promise<string> => {
  const { id, scope } = await openEmailToken(executor, services, secret);
  const found = await validEmailTokens(scope, id, 'activation').executeTakeFirst();
  if (found?.passwordHash !== null) throw noSuchLink();
  return found.login;
};

/** Whoever holds the secret of the mail chooses the password. Once: of two at the same time one does. */
export const activateAgent = async (
  executor: Executor,
  services: Services,
  { secret, password }: { secret: string; password: string },
): Promise<void> => {
  assertChosen(password);
  const { id, scope } = await openEmailToken(executor, services, secret);
  await readActivation(executor, services, secret);
  const passwordHash = await hashPassword(password);
  await scope.transaction(async (tx) => {
    const found = await consumeEmailToken(tx, id, 'activation');
    if (found.passwordHash !== null) throw noSuchLink();
    await tx.update('agents').where('id', '=', found.login).set({ passwordHash }).execute();
  });
};
