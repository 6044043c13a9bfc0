import { sql } from 'kysely';
import { requireOperator } from '../../access.ts';
import { openOrganizationScope, type PlatformScope } from '../../scope.ts';
import { getOrganization } from '../licenses/organizations.ts';
import type { PaymentRecord } from './find-payment.ts';
import type { RefundRecord } from './refunds.ts';

export interface PaymentPage {
  payments: (PaymentRecord & { refunds: RefundRecord[] })[];
  /** The id of the last payment of this page, if there are more. */
  next?: number;
}

const readRefunds = ({ db }: PlatformScope, payments: PaymentRecord[]): Promise<RefundRecord[]> =>
  db
    .selectFrom('refunds')
    .where('paymentExternalId', '=', sql<string>`any(${payments.map(({ externalId }) => externalId)})`)
    .orderBy('recordedAt')
    .orderBy('externalId')
    .selectAll()
    .execute();

/** Payments of an organization with their refunds, in the order in which they were recorded. */
export const listPayments = async (
  scope: PlatformScope,
  { organizationId, after = 0, limit }: { organizationId: string; after?: number | undefined; limit: number },
): Promise<PaymentPage> => {
  requireOperator(scope.actor);
  const { id } = await getOrganization(scope, organizationId);
  const found = await openOrganizationScope(scope.services, scope.actor, id)
    .from('payments')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .selectAll()
    .execute();
  const payments = found.slice(0, limit);
  const refunds = Map.groupBy(await readRefunds(scope, payments), ({ paymentExternalId }) => paymentExternalId);
  return {
    payments: payments.map((payment) => ({ ...payment, refunds: refunds.get(payment.externalId) ?? [] })),
    ...(found.length > limit ? { next: payments.at(-1)!.id } : {}),
  };
};
