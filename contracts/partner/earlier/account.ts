import { type Static, Type } from 'typebox';
import { defineOperation } from '../../operation.ts';
import { Empty } from '../../values.ts';
import { Billing, billingFields } from '../billing.ts';
import { dateRange } from '../values.ts';
import { withdrawalFields } from '../withdrawals.ts';

export const changePassword = defineOperation({
  name: 'change_password',
  method: 'PUT',
  path: '/v2/partners/password',
  audit: true,
  summary: 'Changes the password',
  body: Type.Object({
    current_password: Type.String({ maxLength: 200 }),
    new_password: Type.String({ minLength: 6, maxLength: 200 }),
  }),
  responses: { 200: Empty },
  errors: [403],
});

export const ActiveLicenses = Type.Object({
  affiliate_trials: Type.Integer(),
  affiliate_trials_cc: Type.Integer(),
  affiliate_paid: Type.Integer(),
  reseller_trials: Type.Integer(),
  reseller_trials_cc: Type.Integer(),
  reseller_paid: Type.Integer(),
});
export type ActiveLicenses = Static<typeof ActiveLicenses>;

export const getActiveLicenses = defineOperation({
  name: 'get_active_licences',
  method: 'GET',
  path: '/v2/partners/active-licenses',
  summary: 'The current number of licenses of the partner',
  responses: { 200: ActiveLicenses },
});

export const EarlierEarnings = Type.Object({
  balance: Type.Number(),
  commission: Type.Number(),
  blocked: Type.Number(),
  withdrawals: Type.Number(),
  pending: Type.Number(),
  discount: Type.Number(),
});
export type EarlierEarnings = Static<typeof EarlierEarnings>;

export const getEarlierEarnings = defineOperation({
  name: 'get_earlier_earnings',
  method: 'GET',
  path: '/v2/partners/earnings',
  summary: 'Earnings in the earlier shape',
  when: { query: Type.Object({ shape: Type.Literal('earlier') }) },
  query: Type.Object({ shape: Type.Literal('earlier') }),
  responses: { 200: EarlierEarnings },
});

export const EarlierBilling = Type.Omit(Billing, ['state']);
export type EarlierBilling = Static<typeof EarlierBilling>;

export const getEarlierBilling = defineOperation({
  name: 'get_earlier_billing',
  method: 'GET',
  path: '/v2/partners/affiliates/billing',
  summary: 'The billing details for withdrawals',
  responses: { 200: EarlierBilling },
});

export const updateEarlierBilling = defineOperation({
  name: 'update_earlier_billing',
  method: 'PUT',
  path: '/v2/partners/affiliates/billing',
  audit: true,
  summary: 'Changes the billing details for withdrawals',
  description: 'The state, which this shape does not have, stays unchanged.',
  body: Type.Object(billingFields),
  responses: { 200: Empty },
});

export const EarlierWithdrawal = Type.Object(withdrawalFields);
export type EarlierWithdrawal = Static<typeof EarlierWithdrawal>;

export const requestEarlierWithdrawal = defineOperation({
  name: 'request_earlier_withdrawal',
  method: 'POST',
  path: '/v2/partners/affiliates/withdrawals',
  audit: true,
  summary: 'Requests a withdrawal of the whole available balance',
  responses: { 201: EarlierWithdrawal },
  errors: [403, 409],
});

export const listEarlierWithdrawals = defineOperation({
  name: 'list_earlier_withdrawals',
  method: 'GET',
  path: '/v2/partners/affiliates/withdrawals',
  summary: 'The withdrawals, newest first',
  query: Type.Object(dateRange),
  responses: { 200: Type.Object({ result: Type.Array(EarlierWithdrawal) }) },
});
