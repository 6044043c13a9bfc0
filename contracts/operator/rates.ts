import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf, Timestamp } from '../values.ts';

export const Percent = Type.Number({ minimum: 0, maximum: 100, description: 'At most two decimals' });
export const PartnerId = Type.String({ pattern: '^[1-9][0-9]{0,14}$' });
const Kind = oneOf('commission', 'second_tier', 'discount');
const Program = oneOf('affiliate', 'solution');
const Product = oneOf('mainchat', 'chatbot', 'helpdesk');

export const Rate = Type.Object({
  id: Type.Integer(),
  kind: Kind,
  program: Type.Optional(Program),
  product: Type.Optional(Product),
  partner_id: Type.Optional(Type.String()),
  campaign_id: Type.Optional(Type.Integer()),
  percent: Type.Number(),
  starts_at: Type.Optional(Timestamp),
  ends_at: Type.Optional(Timestamp),
  created_at: Timestamp,
});
export type Rate = Static<typeof Rate>;

export const createRate = defineOperation({
  name: 'create_rate',
  method: 'POST',
  path: '/operator/v1/rates',
  audit: true,
  summary: 'Creates a rate',
  description:
    'For each payment the most specific rate that is valid at its time applies: that of the campaign, of the partner for the product, of the partner, of the product, of the program; among equals the newest. Past commissions do not change.',
  body: Type.Object({
    kind: Kind,
    percent: Percent,
    program: Type.Optional(Program),
    product: Type.Optional(Product),
    partner_id: Type.Optional(PartnerId),
    campaign_id: Type.Optional(Int32({ minimum: 1, description: 'Of that partner' })),
    starts_at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now' })),
    ends_at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: never' })),
  }),
  responses: { 201: Rate },
});

export const listRates = defineOperation({
  name: 'list_rates',
  method: 'GET',
  path: '/operator/v1/rates',
  summary: 'All rates, oldest first',
  query: Type.Object({
    partner_id: Type.Optional(PartnerId),
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
  }),
  responses: { 200: Type.Object({ rates: Type.Array(Rate), next: Type.Optional(Type.Integer()) }) },
});

export const deleteRate = defineOperation({
  name: 'delete_rate',
  method: 'DELETE',
  path: '/operator/v1/rates/:rate_id',
  audit: true,
  summary: 'Ends a rate now; one that has not started is removed',
  params: Type.Object({ rate_id: PartnerId }),
  responses: { 204: null },
});
