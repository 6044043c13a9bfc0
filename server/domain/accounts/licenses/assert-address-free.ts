import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import { ownsLicense } from '#server/storage/platform-referrals.ts';
import { DomainError } from '../../errors.ts';
import type { PlatformScope, Transaction } from '../../scope.ts';

/** Locks the address until the end of the transaction, so that two concurrent sign-ups cannot both find it free. */
export const assertAddressFree = async ({ executor }: Transaction<PlatformScope>, login: string): Promise<void> => {
  await lockInTransaction(executor, 'signUpAddress', login);
  if (await ownsLicense(executor, login))
    throw new DomainError('conflict', 'This email address already has a license', {
      fields: [{ field: 'email', message: 'already has a license' }],
    });
};
