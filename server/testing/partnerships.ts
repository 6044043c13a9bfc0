import { updateBilling } from '#server/domain/partners/billing.ts';
import { createCoupon } from '#server/domain/partners/coupons.ts';
import { requestWithdrawal } from '#server/domain/partners/withdrawals.ts';
import { openPartnerScope, openPlatformScope } from '#server/domain/scope.ts';
import { earn } from './ledger.ts';
import type { TestApp } from './start-app.ts';

/** What a partner has, each text of it recognisable. */
export interface Partnership {
  couponId: number;
  withdrawalId: number;
}

export const buildPartnership = async (test: TestApp, partner: { id: number }, mark: string): Promise<Partnership> => {
  const { services } = test.context;
  const scope = openPartnerScope(services, { kind: 'partner', id: partner.id }, partner.id);
  const operator = openPlatformScope(services, { kind: 'operator' });
  const { id: couponId } = await createCoupon(operator, { partnerId: partner.id, label: mark, percentOff: 10 });
  await updateBilling(scope, {
    type: 'business',
    company: mark,
    address: mark,
    city: mark,
    country: 'PL',
    payoutAccount: `${mark}@payout.test`,
  });
  await earn(test, partner, 10_000);
  const { id: withdrawalId } = await requestWithdrawal(scope);
  await earn(test, partner, 10_000);
  return { couponId, withdrawalId };
};
