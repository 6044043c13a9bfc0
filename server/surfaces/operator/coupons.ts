import * as contract from '#contracts/operator/coupons.ts';
import {
  type CouponRecord,
  createCoupon,
  listAllCoupons,
  switchCoupon,
} from '#server/domain/partners/coupons/coupons.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

const present = ({ id, label, percentOff, amountOffCents, active, createdAt }: CouponRecord): contract.Coupon => ({
  id,
  label,
  ...(percentOff === null ? {} : { percent_off: Number(percentOff) }),
  ...(amountOffCents === null ? {} : { amount_off_cents: amountOffCents }),
  active,
  created_at: toTimestamp(createdAt),
});

const operatorRoute = route<PlatformScope>();

export const couponRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.createCoupon, async ({ params, body, scope }) => {
    const { label, percent_off: percentOff, amount_off_cents: amountOffCents, active } = body;
    const partnerId = Number(params.partner_id);
    return present(await createCoupon(scope, { partnerId, label, percentOff, amountOffCents, active }));
  }),
  operatorRoute(contract.listCoupons, async ({ params, scope }) => ({
    coupons: (await listAllCoupons(scope, { partnerId: Number(params.partner_id) })).map(present),
  })),
  operatorRoute(contract.switchCoupon, async ({ params, body, scope }) =>
    present(
      await switchCoupon(scope, {
        partnerId: Number(params.partner_id),
        id: Number(params.id),
        active: body.active,
      }),
    ),
  ),
];
