import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Email, Int32, Name, Timestamp } from '../values.ts';
import { PartnerId, Percent } from './rates.ts';

export const createPartner = defineOperation({
  name: 'create_partner',
  method: 'POST',
  path: '/operator/v1/partners',
  audit: true,
  summary: 'Creates a partner with its first API token',
  body: Type.Object({
    login: Email(),
    password: Type.String({ minLength: 6, maxLength: 200 }),
    first_name: Name(),
    last_name: Name(),
    contact_name: Type.Optional(Name()),
    contact_email: Type.Optional(Email()),
    referred_by: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,15}$', description: 'The partner_id of the referrer' }),
    ),
  }),
  responses: { 201: Type.Object({ partner_id: Type.String(), token: Type.String() }) },
  errors: [409],
});

const partner = {
  partner_id: Type.String(),
  login: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  contact_name: Type.String(),
  contact_email: Type.String(),
  solution_status: Type.String(),
  blocked: Type.Boolean(),
  referred_by: Type.Optional(Type.String()),
  created_at: Timestamp,
};
export const Partner = Type.Object(partner);
export type Partner = Static<typeof Partner>;

const CurrentPercent = Type.Object({
  percent: Type.Number(),
  rule: Type.String({ description: 'The rule that decided' }),
  ends_at: Type.Optional(Timestamp),
});

export const PartnerDetails = Type.Object({
  ...partner,
  balance: Type.Object({
    available_cents: Type.Integer(),
    held_cents: Type.Integer({ description: 'Commission of blocked licenses' }),
    pending_cents: Type.Integer(),
    withdrawn_cents: Type.Integer(),
  }),
  commission: CurrentPercent,
  discount: CurrentPercent,
  second_tier: CurrentPercent,
});
export type PartnerDetails = Static<typeof PartnerDetails>;

export const listPartners = defineOperation({
  name: 'list_partners',
  method: 'GET',
  path: '/operator/v1/partners',
  summary: 'All partners, oldest first',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      partners: Type.Array(Partner),
      next: Type.Optional(Type.Integer({ description: 'Absent on the last page' })),
    }),
  },
});

const params = Type.Object({ partner_id: PartnerId });

export const getPartner = defineOperation({
  name: 'get_partner',
  method: 'GET',
  path: '/operator/v1/partners/:partner_id',
  summary: 'One partner with its balance and current percents',
  params,
  responses: { 200: PartnerDetails },
});

const EndsAt = Type.Optional(Type.String({ format: 'date-time', description: 'Default: never' }));

export const updatePartner = defineOperation({
  name: 'update_partner',
  method: 'PATCH',
  path: '/operator/v1/partners/:partner_id',
  audit: true,
  summary: 'Changes a partner; absent fields stay unchanged',
  description:
    'A blocked partner keeps its account and earns nothing. A percent applies from now on to this partner only; when it ends, the previous one applies again.',
  params,
  body: Type.Object({
    solution_status: Type.Optional(Type.String({ pattern: '^[a-z_]{1,32}$', examples: ['active'] })),
    blocked: Type.Optional(Type.Boolean()),
    commission_percent: Type.Optional(Percent),
    commission_ends_at: EndsAt,
    discount_percent: Type.Optional(Percent),
    discount_ends_at: EndsAt,
    second_tier_percent: Type.Optional(Percent),
    second_tier_ends_at: EndsAt,
  }),
  responses: { 200: PartnerDetails },
});
