import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Billing } from '../partner/billing.ts';
import { Int32, Name, oneOf, Timestamp } from '../values.ts';

export const Withdrawal = Type.Object({
  id: Type.Integer(),
  partner_id: Type.String(),
  status: oneOf('pending', 'paid', 'rejected'),
  amount_cents: Type.Integer(),
  invoice_id: Type.String(),
  payout_account: Type.String(),
  billing: Type.Object(Billing.properties, { description: 'As it was at the time of the request' }),
  requested_at: Timestamp,
  acted_at: Type.Optional(Timestamp),
  reason: Type.Optional(Type.String()),
});
export type Withdrawal = Static<typeof Withdrawal>;

const params = Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) });

export const listWithdrawals = defineOperation({
  name: 'list_withdrawals',
  method: 'GET',
  path: '/operator/v1/withdrawals',
  summary: 'Withdrawals of all partners, oldest first',
  query: Type.Object({
    status: Type.Optional(oneOf('pending', 'paid', 'rejected')),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
  }),
  responses: {
    200: Type.Object({ withdrawals: Type.Array(Withdrawal), next: Type.Optional(Type.Integer()) }),
  },
});

export const payWithdrawal = defineOperation({
  name: 'pay_withdrawal',
  method: 'POST',
  path: '/operator/v1/withdrawals/:id/pay',
  audit: true,
  summary: 'Marks a pending withdrawal as paid',
  params,
  responses: { 200: Withdrawal },
  errors: [409],
});

export const rejectWithdrawal = defineOperation({
  name: 'reject_withdrawal',
  method: 'POST',
  path: '/operator/v1/withdrawals/:id/reject',
  audit: true,
  summary: 'Rejects a pending withdrawal; the amount returns to the partner’s balance',
  params,
  body: Type.Object({ reason: Name({ maxLength: 1000, description: 'Shown to the partner' }) }),
  responses: { 200: Withdrawal },
  errors: [409],
});
