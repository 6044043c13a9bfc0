import type { Selectable } from 'kysely';
import { findPaymentOwner } from '#server/storage/platform-money.ts';
import type { PaymentsTable } from '#server/storage/tables/ledger.ts';
import { enterOrganization, type PlatformScope, type Transaction } from '../../scope.ts';

export type PaymentRecord = Selectable<PaymentsTable>;

/** Finds a payment by the id that the payment provider or the operator gave it. */
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
