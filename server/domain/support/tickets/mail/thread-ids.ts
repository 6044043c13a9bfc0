import type { OrganizationScope, Transaction } from '../../../scope.ts';

export interface RecordedMessageId {
  ticketId: string;
  messageId: string;
  isOurs: boolean;
}

/** A mail may be recorded twice. */
export const recordMessageId = async (
  tx: Transaction<OrganizationScope>,
  { ticketId, messageId, isOurs }: RecordedMessageId,
): Promise<void> => {
  await tx
    .insert('ticketMessageIds', { ticketId, messageId, isOurs, createdAt: tx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** The Message-IDs of a ticket's mails, newest last. */
export const listMessageIds = async (
  scope: OrganizationScope,
  ticketId: string,
): Promise<{ messageId: string; isOurs: boolean }[]> => {
  const rows = await scope
    .from('ticketMessageIds')
    .where('ticketId', '=', ticketId)
    .orderBy('createdAt', 'desc')
    .limit(20)
    .select(['messageId', 'isOurs'])
    .execute();
  return rows.toReversed();
};
