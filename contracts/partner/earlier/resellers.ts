import { type Static, Type } from 'typebox';
import { defineOperation } from '../../operation.ts';
import { Email, Empty, Int32, Name, oneOf } from '../../values.ts';
import { dateRange, PartnerTimestamp } from '../values.ts';

const licenseFields = {
  license: Type.String({ description: 'The number of the license' }),
  client_name: Type.String(),
  client_email: Type.String(),
  purchase_order: Type.String(),
  creation_timestamp: PartnerTimestamp,
  end_timestamp: Type.Union([PartnerTimestamp, Type.Literal('')]),
  cc_added: Type.Boolean(),
  paid: Type.Boolean(),
  expired: Type.Boolean(),
  blocked: Type.Boolean(),
  seats: Type.Integer(),
  plan: Type.String(),
  billing_cycle: Type.String({ description: 'Empty while there is no subscription' }),
  total_discount: Type.Number(),
  discount_percent: Type.Number(),
};

export const ListedResellerLicense = Type.Object(licenseFields);
export type ListedResellerLicense = Static<typeof ListedResellerLicense>;

export const ResellerLicense = Type.Object({
  ...licenseFields,
  recurly: Type.Object({
    subscriber: Type.Boolean({ description: 'Whether there is a subscription' }),
    in_trial: Type.Boolean(),
    recurrent: Type.Boolean({ description: 'Whether it will be renewed' }),
  }),
});
export type ResellerLicense = Static<typeof ResellerLicense>;

const path = '/v2/partners/resellers/licenses';
const License = Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'The number of a license' });
const params = Type.Object({ license_id: License });

export const createResellerLicense = defineOperation({
  name: 'create_reseller_licence',
  method: 'POST',
  path,
  audit: true,
  summary: 'Starts a trial for a client, who is invited by email',
  body: Type.Object({
    client_name: Name(),
    client_email: Email(),
    purchase_order: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  responses: { 201: ResellerLicense },
  errors: [409],
});

export const listResellerLicenses = defineOperation({
  name: 'list_reseller_licences',
  method: 'GET',
  path,
  summary: 'The clients’ licenses, newest first',
  query: Type.Object(dateRange),
  responses: { 200: Type.Object({ result: Type.Array(ListedResellerLicense) }) },
});

export const getResellerLicense = defineOperation({
  name: 'get_reseller_licence',
  method: 'GET',
  path: `${path}/:license_id`,
  summary: 'One client’s license',
  params,
  responses: { 200: ResellerLicense },
});

export const Invoice = Type.Object({
  invoice_no: Type.Integer(),
  date: PartnerTimestamp,
  plan: Type.String(),
  billing_cycle: Type.String(),
  status: Type.String({ description: '`paid`' }),
  seats: Type.Integer(),
  amount: Type.Number(),
});
export type Invoice = Static<typeof Invoice>;

export const listInvoices = defineOperation({
  name: 'list_invoices',
  method: 'GET',
  path: `${path}/:license_id/invoices`,
  summary: 'The payments of the license, newest first',
  params,
  responses: { 200: Type.Object({ result: Type.Array(Invoice) }) },
});

export const getInvoice = defineOperation({
  name: 'get_invoice',
  method: 'GET',
  path: `${path}/:license_id/invoices/:invoice_no`,
  summary: 'An invoice as a PDF',
  params: Type.Object({ license_id: License, invoice_no: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) }),
  download: true,
  responses: { 200: null },
});

export const listResellerHistory = defineOperation({
  name: 'list_reseller_history',
  method: 'GET',
  path: '/v2/partners/resellers/history',
  summary: 'Trials and paid licenses of the last twelve months',
  responses: {
    200: Type.Object({
      result: Type.Array(
        Type.Object({
          date: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
          trials: Type.Integer(),
          paid: Type.Integer({ description: 'Licenses paid for the first time' }),
        }),
      ),
    }),
  },
});

const terms = {
  plan: oneOf('starter', 'team', 'business'),
  billing_cycle: oneOf('monthly', 'annual'),
  seats: Int32({ minimum: 1, maximum: 10_000 }),
};
const Token = Type.String({ minLength: 1, maxLength: 500, description: 'Of the payment provider' });

export const createSubscription = defineOperation({
  name: 'create_subscription',
  method: 'POST',
  path: `${path}/:license_id/subscription`,
  audit: true,
  summary: 'Subscribes the license',
  description: 'The first period is charged immediately.',
  params,
  body: Type.Object({ token: Token, ...terms }),
  responses: { 201: Empty },
  errors: [409],
});

export const updateSubscription = defineOperation({
  name: 'update_subscription',
  method: 'PUT',
  path: `${path}/:license_id/subscription`,
  audit: true,
  summary: 'Changes plan, billing cycle and seats',
  description:
    'The rest of the period is prorated: what is due is charged immediately, and what was overpaid is credited against the next charges. A different cycle starts a new period.',
  params,
  body: Type.Object(terms),
  responses: { 200: Empty },
  errors: [409],
});

export const updateSubscriptionBilling = defineOperation({
  name: 'update_subscription_billing',
  method: 'PUT',
  path: `${path}/:license_id/billing`,
  audit: true,
  summary: 'Changes the payment card',
  params,
  body: Type.Object({ token: Token }),
  responses: { 200: Empty },
  errors: [409],
});

export const closeSubscription = defineOperation({
  name: 'close_subscription',
  method: 'DELETE',
  path: `${path}/:license_id/subscription`,
  audit: true,
  summary: 'Closes the subscription',
  description: 'The license ends with its billing cycle, or immediately with `expire`.',
  params,
  body: Type.Object({
    password: Type.String({ minLength: 1, maxLength: 200, description: 'The partner’s own' }),
    expire: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Empty },
  errors: [403, 409],
});
