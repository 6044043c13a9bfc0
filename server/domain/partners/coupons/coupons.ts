import type { Selectable } from 'kysely';
import type { CouponsTable } from '#server/storage/tables/program.ts';
import { requireOperator, requirePartner } from '../../access.ts';
import { invalid, notFound } from '../../errors.ts';
import { openPartnerScope, type PartnerScope, type PlatformScope } from '../../scope.ts';
import { assertPercent } from '../ledger/assert-percent.ts';

export type CouponRecord = Selectable<CouponsTable>;

/** Active coupons, which campaigns may use. */
export const listCoupons = (scope: PartnerScope): Promise<CouponRecord[]> => {
  requirePartner(scope.actor);
  return scope.from('coupons').where('active', '=', true).orderBy('id').selectAll().execute();
};

const enter = async (scope: PlatformScope, partnerId: number): Promise<PartnerScope> => {
  requireOperator(scope.actor);
  const found = await scope.db.selectFrom('partners').where('id', '=', partnerId).select('id').executeTakeFirst();
  if (!found) throw notFound('Partner');
  return openPartnerScope(scope.services, scope.actor, partnerId);
};

export const listAllCoupons = async (scope: PlatformScope, { partnerId }: { partnerId: number }) =>
  (await enter(scope, partnerId)).from('coupons').orderBy('id').selectAll().execute();

export interface NewCoupon {
  partnerId: number;
  label: string;
  percentOff?: number | undefined;
  amountOffCents?: number | undefined;
  active?: boolean | undefined;
}

export const createCoupon = async (scope: PlatformScope, input: NewCoupon): Promise<CouponRecord> => {
  const { partnerId, label, percentOff, amountOffCents, active = true } = input;
  const inside = await enter(scope, partnerId);
  if ((percentOff === undefined) === (amountOffCents === undefined))
    throw invalid('percentOff', 'or `amountOffCents` is required, not both');
  if (percentOff !== undefined) assertPercent('percent_off', percentOff);
  return inside
    .insert('coupons', { label, percentOff, amountOffCents, active, createdAt: scope.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** A deactivated coupon stays with the licenses that have it, but new licenses cannot get it. */
export const switchCoupon = async (
  scope: PlatformScope,
  { partnerId, id, active }: { partnerId: number; id: number; active: boolean },
): Promise<CouponRecord> => {
  const inside = await enter(scope, partnerId);
  const coupon = await inside.update('coupons').where('id', '=', id).set({ active }).returningAll().executeTakeFirst();
  if (!coupon) throw notFound('Coupon');
  return coupon;
};
