import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';

export const Coupon = Type.Object({ id: Type.Integer(), label: Type.String() });
export type Coupon = Static<typeof Coupon>;

export const listCoupons = defineOperation({
  name: 'list_coupons',
  method: 'GET',
  path: '/v2/partners/coupons',
  summary: 'The active coupons that a campaign may use',
  responses: { 200: Type.Object({ result: Type.Array(Coupon) }) },
});
