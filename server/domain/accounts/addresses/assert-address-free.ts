import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import { isInvitedOwner, ownsLicense } from '#server/storage/platform-referrals.ts';
import { DomainError } from '../../errors.ts';
import type { BaseScope, Emitter } from '../../scope.ts';

const taken = (): DomainError =>
  new DomainError('conflict', 'This email address already has a license', {
    fields: [{ field: 'email', message: 'already has a license' }],
  });

/**
 * One address owns at most one license, unless the operator creates more. Unconfirmed addresses do not count, because
 * anyone can enter them. Locks the address until the end of the transaction, so that two concurrent requests cannot
 * both find it free.
 */
export const assertAddressFree = async ({ executor }: BaseScope & Emitter, login: string): Promise<void> => {
  await lockInTransaction(executor, 'signUpAddress', login);
  if (await ownsLicense(executor, login)) throw taken();
};

/** The same for an invitation, which is not repeated while an earlier one can still be accepted. */
export const assertNotInvited = async (tx: BaseScope & Emitter, login: string): Promise<void> => {
  await assertAddressFree(tx, login);
  if (await isInvitedOwner(tx.executor, login, tx.now())) throw taken();
};
