import { findDueSubscriptions, findOpenCharges } from '#server/storage/platform-resellers.ts';
import { asActive } from '../../accounts/subscriptions/active-subscription.ts';
import { openPartnerScope, type PartnerScope, type Services } from '../../scope.ts';
import { getResellerLicenseOf } from '../resellers/licenses.ts';
import type { SettledCharge } from './card-payments.ts';
import { carryOut, finishCharge, openCharge } from './charge.ts';
import { draftRenewal, toPaid } from './draft-charges.ts';
import { priceTerms } from './price-terms.ts';

/** Charges the next period if it is due or was not paid. Blocked licenses are not charged. */
export const renew = async (scope: PartnerScope, organizationId: string): Promise<SettledCharge | undefined> => {
  const license = await getResellerLicenseOf(scope, organizationId);
  const subscription = asActive(license.subscription);
  if (!subscription || license.status === 'blocked') return undefined;
  const { plan, billingCycle, seats } = subscription;
  const priced = await priceTerms(scope, license, { plan, billingCycle, seats });
  return carryOut(scope, await openCharge(scope, license, draftRenewal(priced, toPaid(subscription))));
};

/** A charge that is open for longer was abandoned, for example by a crash. */
const MAX_OPEN_MS = 60_000;

const MAX_PER_BATCH = 100;

export type OnFailure = (error: unknown, about: { partnerId: number; organizationId: string }) => void;

/** Charges due subscriptions and finishes abandoned charges. A failure does not stop the others. */
export const renewDue = async (services: Services, onFailure: OnFailure): Promise<void> => {
  const now = services.clock.now();
  const open = (partnerId: number) => openPartnerScope(services, { kind: 'system' }, partnerId);
  for (const charge of await findOpenCharges(services.executor, new Date(now.getTime() - MAX_OPEN_MS), MAX_PER_BATCH))
    await finishCharge(open(charge.partnerId), charge).catch((error) => onFailure(error, charge));
  for (const due of await findDueSubscriptions(services.executor, now, MAX_PER_BATCH))
    await renew(open(due.partnerId), due.organizationId).catch((error) => onFailure(error, due));
};
