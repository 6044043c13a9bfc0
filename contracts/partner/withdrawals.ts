import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { dateRange, PartnerTimestamp } from './values.ts';

export const withdrawalFields = {
  request_timestamp: PartnerTimestamp,
  action_timestamp: Type.Union([PartnerTimestamp, Type.Literal('')], { description: 'Empty while it is pending' }),
  status: Type.String({ description: '`pending`, `paid` or `rejected`' }),
  amount: Type.Number(),
  invoice_id: Type.String({ examples: ['2026/11/1'] }),
};

export const Withdrawal = Type.Object({
  withdrawal_id: Type.Integer(),
  ...withdrawalFields,
  payout_account: Type.String(),
});
export type Withdrawal = Static<typeof Withdrawal>;

export const requestWithdrawal = defineOperation({
  name: 'request_withdrawal',
  method: 'POST',
  path: '/v2/partners/withdrawals',
  audit: true,
  summary: 'Requests a withdrawal of the whole available balance',
  description: 'Requires an available balance of at least $50 and billing details.',
  responses: { 201: Withdrawal },
  errors: [403, 409],
});

export const listWithdrawals = defineOperation({
  name: 'list_withdrawals',
  method: 'GET',
  path: '/v2/partners/withdrawals',
  summary: 'The withdrawals, newest first',
  query: Type.Object(dateRange),
  responses: { 200: Type.Object({ result: Type.Array(Withdrawal) }) },
});
