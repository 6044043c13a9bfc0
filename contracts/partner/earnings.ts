import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';

const earned = { commission_total: Type.Number(), commission_last_30_days: Type.Number() };
const Earned = Type.Object(earned);
const Saved = Type.Object({ discount: Type.Number(), ...earned });

export const Earnings = Type.Object({
  balance: Type.Number({ description: 'The amount that can be withdrawn' }),
  blocked: Type.Number({ description: 'Commission held for blocked licenses' }),
  ...earned,
  withdrawals: Type.Number({ description: 'The amount paid out' }),
  pending: Type.Number({ description: 'The amount requested and not paid yet' }),
  affiliate: Type.Object({ ...earned, mainchat: Earned, chatbot: Earned, partner_program: Earned }),
  solution: Type.Object({ ...earned, mainchat: Saved, chatbot: Saved }),
});
export type Earnings = Static<typeof Earnings>;

export const getEarnings = defineOperation({
  name: 'get_earnings',
  method: 'GET',
  path: '/v2/partners/earnings',
  summary: 'Earnings by program and product',
  responses: { 200: Earnings },
});

export const Balance = Type.Object({
  pending: Type.Number(),
  withdrawn: Type.Number(),
  available: Type.Number(),
  total: Type.String({ pattern: '^-?\\d+\\.\\d{2}$', examples: ['120.50'] }),
});
export type Balance = Static<typeof Balance>;

export const getBalance = defineOperation({
  name: 'get_balance',
  method: 'GET',
  path: '/v2/partners/balance',
  summary: 'Available, pending and withdrawn amounts',
  responses: { 200: Balance },
});
