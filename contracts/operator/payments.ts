import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf, Timestamp } from '../values.ts';

/** Ten billion dollars; more is a mistake. */
const Cents = (minimum: number) => Type.Integer({ minimum, maximum: 1_000_000_000_000 });
const ExternalId = Type.String({
  ...{ minLength: 1, maxLength: 200, pattern: '^\\S(.*\\S)?$' },
  description: 'The idempotency key, given by the payment provider or the operator',
});
const Product = oneOf('mainchat', 'chatbot', 'helpdesk');
const Plan = oneOf('starter', 'team', 'business', 'enterprise');
const BillingCycle = oneOf('monthly', 'annual');
const RefundKind = oneOf('refund', 'chargeback');

export const Refund = Type.Object({
  status: oneOf('applied', 'waiting'),
  external_id: Type.String(),
  payment_external_id: Type.String(),
  amount_cents: Type.Integer(),
  kind: RefundKind,
  recorded_at: Timestamp,
  applied_at: Type.Optional(Timestamp),
});
export type Refund = Static<typeof Refund>;

const Outcome = Type.Object({
  partner_id: Type.String(),
  tier: Type.Integer({ description: '1: referred the license; 2: referred that partner' }),
  commission_cents: Type.Integer(),
  percent: Type.Optional(Type.Number()),
  because: Type.String({
    description:
      'The rule that decided (`campaign`, `partner_product`, `partner`, `product`, `programme`, or `none`), or why nothing was earned (`partner_blocked`, `own_licence`)',
  }),
  rate_id: Type.Optional(Type.Integer()),
});

export const Payment = Type.Object({
  external_id: Type.String(),
  organization_id: Type.String(),
  source: oneOf('operator', 'subscription'),
  product: Product,
  amount_cents: Type.Integer(),
  currency: Type.String(),
  plan: Type.Optional(Plan),
  billing_cycle: Type.Optional(BillingCycle),
  seats: Type.Optional(Type.Integer()),
  paid_at: Timestamp,
  recorded_at: Timestamp,
  outcome: Type.Array(Outcome, {
    description: 'What each partner earned and why; empty if the license has no referral',
  }),
});
export type Payment = Static<typeof Payment>;

const params = Type.Object({ organization_id: Type.String({ maxLength: 64 }) });

export const createPayment = defineOperation({
  name: 'create_payment',
  method: 'POST',
  path: '/operator/v1/organizations/:organization_id/payments',
  audit: true,
  summary: 'Records a payment, which extends the license and pays commissions',
  description:
    'Idempotent by `external_id`: a repeated request returns 200 with the first payment; with another amount, product or organization it returns 409. Refunds that were reported earlier are applied.',
  params,
  body: Type.Object({
    external_id: ExternalId,
    product: Product,
    amount_cents: Cents(0),
    currency: Type.String({ pattern: '^[A-Za-z]{3}$', examples: ['USD'], description: 'USD only' }),
    plan: Type.Optional(Plan),
    billing_cycle: Type.Optional(BillingCycle),
    seats: Type.Optional(Int32({ minimum: 1, maximum: 100_000 })),
    paid_at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now' })),
  }),
  responses: { 200: Payment, 201: Payment },
  errors: [409],
});

export const listPayments = defineOperation({
  name: 'list_payments',
  method: 'GET',
  path: '/operator/v1/organizations/:organization_id/payments',
  summary: 'The payments of an organization in the order of recording',
  params,
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      payments: Type.Array(Type.Object({ ...Payment.properties, refunds: Type.Array(Refund) })),
      next: Type.Optional(Type.Integer({ description: 'Absent on the last page' })),
    }),
  },
});

export const listWaitingRefunds = defineOperation({
  name: 'list_waiting_refunds',
  method: 'GET',
  path: '/operator/v1/refunds/waiting',
  summary: 'Refunds that were reported and not applied, ordered by id',
  description: 'Their payment has not been reported yet, or they exceed the amount that is not refunded yet.',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Type.String({ maxLength: 200, description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      refunds: Type.Array(Refund),
      next: Type.Optional(Type.String({ description: 'Absent on the last page' })),
    }),
  },
});

export const createRefund = defineOperation({
  name: 'create_refund',
  method: 'POST',
  path: '/operator/v1/payments/:payment_external_id/refunds',
  audit: true,
  summary: 'Records a refund or a chargeback: commission is reversed in proportion',
  description:
    'Returns 201 when the refund was applied, 202 when its payment has not been reported yet and the refund waits for it, and 200 when the refund was reported before. The refunds of a payment never exceed the payment.',
  params: Type.Object({ payment_external_id: ExternalId }),
  body: Type.Object({
    external_id: ExternalId,
    amount_cents: Cents(1),
    kind: Type.Optional(oneOf('refund', 'chargeback')),
  }),
  responses: { 200: Refund, 201: Refund, 202: Refund },
  errors: [409],
});
