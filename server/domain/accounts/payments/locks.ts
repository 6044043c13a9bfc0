import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { PlatformScope, Transaction } from '../../scope.ts';

/** A payment and its refunds may arrive in any order and at the same time: they are handled one after the other. */
export const lockPayment = ({ executor }: Transaction<PlatformScope>, externalId: string): Promise<void> =>
  lockInTransaction(executor, 'payment', externalId);
