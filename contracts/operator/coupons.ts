import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, Name, Timestamp } from '../values.ts';

export const Coupon = Type.Object({
  id: Type.Integer(),
  label: Type.String(),
  percent_off: Type.Optional(Type.Number()),
  amount_off_cents: Type.Optional(Type.Integer()),
  active: Type.Boolean(),
  created_at: Timestamp,
});
export type Coupon = Static<typeof Coupon>;

const PartnerId = Type.String({ pattern: '^[1-9][0-9]{0,14}$' });
const path = '/operator/v1/partners/:partner_id/coupons';

export const createCoupon = defineOperation({
  name: 'create_coupon',
  method: 'POST',
  path,
  audit: true,
  summary: 'Gives a partner a coupon for its campaigns',
  description: 'Either `percent_off` or `amount_off_cents` is required.',
  params: Type.Object({ partner_id: PartnerId }),
  body: Type.Object({
    label: Name(),
    percent_off: Type.Optional(Type.Number({ minimum: 0.01, maximum: 100, description: 'At most two decimals' })),
    amount_off_cents: Type.Optional(Int32({ minimum: 1 })),
    active: Type.Optional(Type.Boolean()),
  }),
  responses: { 201: Coupon },
});

export const listCoupons = defineOperation({
  name: 'list_coupons',
  method: 'GET',
  path,
  summary: 'All coupons of a partner, including inactive ones',
  params: Type.Object({ partner_id: PartnerId }),
  responses: { 200: Type.Object({ coupons: Type.Array(Coupon) }) },
});

export const switchCoupon = defineOperation({
  name: 'switch_coupon',
  method: 'PATCH',
  path: `${path}/:id`,
  audit: true,
  summary: 'Activates or deactivates a coupon',
  description: 'Licenses that already have it keep it.',
  params: Type.Object({ partner_id: PartnerId, id: PartnerId }),
  body: Type.Object({ active: Type.Boolean() }),
  responses: { 200: Coupon },
});
