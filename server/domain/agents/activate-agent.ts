import type { Executor } from '#server/storage/database.ts';
import { findAgentLetter } from '#server/storage/platform.ts';
import { DomainError, invalid } from '../errors.ts';
import { hashPassword } from '../passwords.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../scope.ts';

/** What people choose here is stronger than what the API asks for. */
export const SHORTEST_CHOSEN = 8;
export const LONGEST_PASSWORD = 1024;

const noSuchLink = (): DomainError => new DomainError('not_found', 'This link is no longer valid.');

const openLetter = async (executor: Executor, services: Services, secret: string) => {
  const id = services.secrets.hash(secret);
  const owner = await findAgentLetter(executor, id);
  if (!owner) throw noSuchLink();
  return { id, scope: openOrganizationScope(services, { kind: 'system' }, owner.organizationId) };
};

const valid = (scope: OrganizationScope, id: Buffer) =>
  scope
    .from('agentLetters')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.organizationId', '=', 'agentLetters.organizationId')
        .onRef('agents.id', '=', 'agentLetters.agentId'),
    )
    .where('agentLetters.id', '=', id)
    .where('agentLetters.kind', '=', 'activation')
    .where('agentLetters.usedAt', 'is', null)
    .where('agentLetters.expiresAt', '>', scope.now())
    .where('agents.deletedAt', 'is', null)
    .where('agents.passwordHash', 'is', null)
    .select('agents.id as login');

/** Whose account a mailed link activates. */
export const readActivation = async (executor: Executor, services: Services, secret: string): Promise<string> => {
  const { id, scope } = await openLetter(executor, services, secret);
  const found = await valid(scope, id).executeTakeFirst();
  if (!found) throw noSuchLink();
  return found.login;
};

/** Whoever holds the secret of the mail chooses the password. Once: of two at the same time one does. */
export const activateAgent = async (
  executor: Executor,
  services: Services,
  { secret, password }: { secret: string; password: string },
): Promise<void> => {
  if (password.length < SHORTEST_CHOSEN || password.length > LONGEST_PASSWORD)
    throw invalid('password', `must have ${SHORTEST_CHOSEN} to ${LONGEST_PASSWORD} characters`);
  const { id, scope } = await openLetter(executor, services, secret);
  await readActivation(executor, services, secret);
  const passwordHash = await hashPassword(password);
  await scope.transaction(async (tx) => {
    const found = await valid(tx, id).forNoKeyUpdate().executeTakeFirst();
    if (!found) throw noSuchLink();
    await tx.update('agents').where('id', '=', found.login).set({ passwordHash }).execute();
    await tx.update('agentLetters').where('id', '=', id).set({ usedAt: tx.now() }).execute();
  });
};
