import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf } from '../values.ts';
import { dateRange, PartnerTimestamp } from './values.ts';

const Chain = Type.Object(
  {
    clicked_at: Type.Optional(PartnerTimestamp),
    trial_at: Type.Optional(PartnerTimestamp),
    qualified_at: Type.Optional(PartnerTimestamp),
    paid_at: PartnerTimestamp,
    reversals: Type.Array(
      Type.Object({
        reversed_at: PartnerTimestamp,
        amount: Type.Number(),
        kind: oneOf('refund', 'chargeback'),
      }),
    ),
  },
  { description: 'The steps that led to it, and its reversals' },
);

export const Commission = Type.Object({
  id: Type.Integer({ description: 'The transaction of the ledger, as statements name it' }),
  amount: Type.Number({ description: 'As it was earned' }),
  net_amount: Type.Number({ description: 'Minus reversals' }),
  percent: Type.Number(),
  rule: Type.String({
    description:
      'The rule that decided the percent: `campaign`, `partner_product`, `partner`, `product` or `programme`',
  }),
  held: Type.Boolean({ description: 'Held while the license is blocked' }),
  program: Type.String(),
  product: Type.String({ description: '`partner_program`: through a referred partner' }),
  license_product: Type.String(),
  campaign_name: Type.String(),
  client_email: Type.String({ description: 'Masked' }),
  chain: Chain,
});
export type Commission = Static<typeof Commission>;

const Cursor = Type.Optional(Type.String({ maxLength: 1000, description: 'The `next_cursor` of the previous page' }));

export const listCommissions = defineOperation({
  name: 'list_commissions',
  method: 'GET',
  path: '/v2/partners/commissions',
  summary: 'Commissions with their steps: click, trial, qualified, paid, reversed',
  description: 'By the time of the payment, newest first.',
  query: Type.Object({
    ...dateRange,
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: '25 when absent' })),
    next_cursor: Cursor,
    cursor: Cursor,
  }),
  responses: {
    200: Type.Object({
      results: Type.Array(Commission),
      next_cursor: Type.String({ description: 'Empty on the last page' }),
    }),
  },
});
