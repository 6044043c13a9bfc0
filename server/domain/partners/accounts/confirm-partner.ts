import { isUniqueViolation } from '#server/storage/database-errors.ts';
import { DomainError } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';

/** Only the holder of the mailbox learns that the address already belongs to a partner. */
export const confirmPartner = async (tx: PartnerScope): Promise<void> => {
  try {
    await tx.db
      .updateTable('partners')
      .where('id', '=', tx.partnerId)
      .where('addressConfirmedAt', 'is', null)
      .set({ addressConfirmedAt: tx.now() })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error, 'partners_login'))
      throw new DomainError('conflict', 'This email address already belongs to another partner account.');
    throw error;
  }
};
