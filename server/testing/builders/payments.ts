import { recordPayment } from '#server/domain/accounts/payments/record-payment.ts';
import { recordRefund } from '#server/domain/accounts/payments/refunds.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import type { TestApp } from '../app/start-app.ts';
import type { TestOrganization } from './factories.ts';

export const PAID_CENTS = 4900;
export const REFUNDED_CENTS = 100;

export interface TestPayment {
  externalId: string;
  refundId: string;
}

/** A payment of the organization and a partial refund of it. */
export const buildPayment = async ({ context }: TestApp, { id }: TestOrganization): Promise<TestPayment> => {
  const externalId = `payment-of-${id}`;
  const refundId = `refund-of-${id}`;
  await openPlatformScope(context.services, { kind: 'operator' }).transaction(async (tx) => {
    await recordPayment(tx, {
      ...{ organizationId: id, externalId, source: 'operator', product: 'mainchat' },
      ...{ amountCents: PAID_CENTS, currency: 'USD' },
    });
    await recordRefund(tx, { externalId: refundId, paymentExternalId: externalId, amountCents: REFUNDED_CENTS });
  });
  return { externalId, refundId };
};
