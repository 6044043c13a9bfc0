import type { Selectable } from 'kysely';
import { findPaymentOwner } from '#server/storage/platform-money.ts';
import type { PaymentsTable } from '#server/storage/tables/ledger.ts';
import { enterOrganization, type PlatformScope, type Transaction } from '../../scope.ts';

export type PaymentRecord = Selectable<PaymentsTable>;

/** By the name that whoever took the money gave it. */
export const findPayment = async (
  tx: Transaction<PlatformScope>,
  externalId: string,
): Promise<PaymentRecord | undefined> => {
  const organizationId = await findPaymentOwner(tx.executor, externalId);
  if (organizationId === undefined) return undefined;
  return enterOrganization(tx, organizationId)
    .from('payments')
    .where('externalId', '=', externalId)
    .selectAll()
    .executeTakeFirst();
};
