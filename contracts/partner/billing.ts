import { type Static, Type } from 'typebox';
import { countries } from '../countries.ts';
import { defineOperation } from '../operation.ts';
import { Email, Name, oneOf } from '../values.ts';

const Line = (options: { description?: string } = {}) => Type.String({ maxLength: 200, ...options });

export const billingFields = {
  type: oneOf('business', 'individual'),
  company: Name({ description: 'The company, or the full name of an individual' }),
  vat: Type.Optional(Line()),
  address: Name({ maxLength: 500 }),
  city: Name(),
  zip_code: Type.Optional(Line()),
  country: oneOf(...countries),
  payout_account: Email({ description: 'The login at the payout provider' }),
};

/** All strings are empty until billing details are set. */
export const Billing = Type.Object({
  type: Type.String(),
  company: Type.String(),
  vat: Type.String(),
  address: Type.String(),
  city: Type.String(),
  state: Type.String(),
  zip_code: Type.String(),
  country: Type.String(),
  payout_account: Type.String(),
});
export type Billing = Static<typeof Billing>;

export const getBilling = defineOperation({
  name: 'get_billing',
  method: 'GET',
  path: '/v2/partners/billing',
  summary: 'The billing details for withdrawals',
  responses: { 200: Billing },
});

export const updateBilling = defineOperation({
  name: 'update_billing',
  method: 'PUT',
  path: '/v2/partners/billing',
  audit: true,
  summary: 'Changes the billing details for withdrawals',
  description: 'Optional fields that are left out become empty.',
  body: Type.Object({ ...billingFields, state: Type.Optional(Line()) }),
  responses: { 204: null },
});
