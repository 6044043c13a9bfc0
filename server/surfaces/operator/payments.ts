import type { FastifyReply } from 'fastify';
import * as contract from '#contracts/operator/payments.ts';
import type { PaymentRecord } from '#server/domain/accounts/payments/find-payment.ts';
import { listPayments } from '#server/domain/accounts/payments/list-payments.ts';
import { listWaitingRefunds } from '#server/domain/accounts/payments/list-waiting-refunds.ts';
import { recordPayment } from '#server/domain/accounts/payments/record-payment.ts';
import { type RefundRecord, recordRefund } from '#server/domain/accounts/payments/refunds.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { readInstant } from './read-instant.ts';

const DEFAULT_LIMIT = 25;

const presentRefund = (refund: RefundRecord): contract.Refund => ({
  status: refund.appliedAt ? 'applied' : 'waiting',
  external_id: refund.externalId,
  payment_external_id: refund.paymentExternalId,
  amount_cents: refund.amountCents,
  kind: refund.kind,
  recorded_at: toTimestamp(refund.recordedAt),
  ...(refund.appliedAt ? { applied_at: toTimestamp(refund.appliedAt) } : {}),
});

const presentPayment = (payment: PaymentRecord): contract.Payment => ({
  external_id: payment.externalId,
  organization_id: payment.organizationId,
  source: payment.source,
  product: payment.product,
  amount_cents: payment.amountCents,
  currency: payment.currency,
  ...(payment.plan === null ? {} : { plan: payment.plan }),
  ...(payment.billingCycle === null ? {} : { billing_cycle: payment.billingCycle }),
  ...(payment.seats === null ? {} : { seats: payment.seats }),
  paid_at: toTimestamp(payment.paidAt),
  recorded_at: toTimestamp(payment.recordedAt),
  outcome: payment.outcome.map(({ partnerId, tier, cents, percent, because, rateId }) => ({
    partner_id: String(partnerId),
    tier,
    commission_cents: cents,
    ...(percent === undefined ? {} : { percent }),
    because,
    ...(rateId === undefined ? {} : { rate_id: rateId }),
  })),
});

const operatorRoute = route<PlatformScope>();

const answerRefund = (reply: FastifyReply, { refund, isNew }: { refund: RefundRecord; isNew: boolean }) => {
  if (isNew) reply.code(refund.appliedAt ? 201 : 202);
  return presentRefund(refund);
};

export const paymentRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.createPayment, async ({ params, body, scope, reply }) => {
    const { payment, isNew } = await scope.transaction((tx) =>
      recordPayment(tx, {
        organizationId: params.organization_id,
        externalId: body.external_id,
        source: 'operator',
        product: body.product,
        amountCents: body.amount_cents,
        currency: body.currency,
        plan: body.plan,
        billingCycle: body.billing_cycle,
        seats: body.seats,
        paidAt: readInstant('paid_at', body.paid_at),
      }),
    );
    if (isNew) reply.code(201);
    return presentPayment(payment);
  }),
  operatorRoute(contract.listPayments, async ({ params, query, scope }) => {
    const page = { limit: DEFAULT_LIMIT, ...query, organizationId: params.organization_id };
    const { payments, next } = await listPayments(scope, page);
    return {
      payments: payments.map((payment) => ({
        ...presentPayment(payment),
        refunds: payment.refunds.map(presentRefund),
      })),
      ...(next === undefined ? {} : { next }),
    };
  }),
  operatorRoute(contract.listWaitingRefunds, async ({ query, scope }) => {
    const { refunds, next } = await listWaitingRefunds(scope, { limit: DEFAULT_LIMIT, ...query });
    return { refunds: refunds.map(presentRefund), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.createRefund, async ({ params, body, scope, reply }) =>
    answerRefund(
      reply,
      await scope.transaction((tx) =>
        recordRefund(tx, {
          externalId: body.external_id,
          paymentExternalId: params.payment_external_id,
          amountCents: body.amount_cents,
          kind: body.kind,
        }),
      ),
    ),
  ),
];
