import type { PartnerScope } from '../../scope.ts';
import type { ExpertMessage } from './records.ts';

/** Callers check that the expert is public. */
export const writeToExpert = (scope: PartnerScope, message: Omit<ExpertMessage, 'to'>): Promise<void> =>
  scope.transaction(async (tx) => {
    const { contactName, contactEmail } = await tx.db
      .selectFrom('partners')
      .where('id', '=', tx.partnerId)
      .select(['contactName', 'contactEmail'])
      .executeTakeFirstOrThrow();
    await tx.insert('expertMessages', { sentAt: tx.now() }).execute();
    const to = { name: contactName, address: contactEmail };
    tx.emit({ type: 'expert_written_to', partnerId: tx.partnerId, message: { ...message, to } });
  });
