import { requirePartner } from '../../access.ts';
import { changePaidLicense } from '../../accounts/licenses/change-license.ts';
import { asActive } from '../../accounts/subscriptions/active-subscription.ts';
import { DomainError, invalid } from '../../errors.ts';
import { lockOrganization } from '../../organization-lock.ts';
import { enterOrganization, enterPartner, openPlatformScope, type PartnerScope } from '../../scope.ts';
import { assertPartnerPassword } from '../accounts/change-password.ts';
import { getResellerLicense, type ResellerLicense } from '../resellers/licenses.ts';
import { type SettledCharge, translateFailure } from './card-payments.ts';
import { assertNoCharge, assertNotBlocked, carryOut, lockSubscription, openCharge } from './charge.ts';
import { type DraftCharge, draftChange, draftStart, toPaid } from './draft-charges.ts';
import { endUnpaid } from './paid-time.ts';
import { priceTerms, type Terms } from './price-terms.ts';
import { renew } from './renew.ts';

/** Reports a declined charge to the caller. */
const assertPaid = (outcome: SettledCharge | undefined): void => {
  if (outcome?.status === 'declined') throw invalid('token', `could not be charged: ${outcome.reason}`);
};

const chargeNow = async (scope: PartnerScope, license: ResellerLicense, draft: DraftCharge): Promise<void> =>
  assertPaid(await carryOut(scope, await openCharge(scope, license, draft)));

const missing = (): DomainError => new DomainError('conflict', 'The license has no subscription');

/**
 * Starts a subscription and charges the first period. A closed one may start again; one that is closing continues after its paid
 * time.
 */
export const subscribe = async (
  scope: PartnerScope,
  { licenseNumber, token, ...terms }: Terms & { licenseNumber: number; token: string },
): Promise<void> => {
  requirePartner(scope.actor);
  const license = await getResellerLicense(scope, licenseNumber);
  if (asActive(license.subscription)) throw new DomainError('conflict', 'The license already has a subscription');
  const priced = await priceTerms(scope, license, terms);
  const { organizationId, endsAt, subscription } = license;
  const creditCents = subscription?.creditCents ?? 0;
  // Opening an account consumes the token, so a blocked license is rejected before.
  if (priced.price.netCents > creditCents) await assertNotBlocked(scope, organizationId);
  const account = await scope.services.partners.payments.openAccount(token).catch(translateFailure);
  const isClosing = subscription?.status === 'closing' && endsAt !== null && endsAt > scope.now();
  await chargeNow(scope, license, draftStart(priced, isClosing ? endsAt : scope.now(), { ...account, creditCents }));
};

/** Changes the terms from now on and prorates the rest of the paid period. */
export const changeSubscription = async (
  scope: PartnerScope,
  { licenseNumber, ...terms }: Terms & { licenseNumber: number },
): Promise<void> => {
  requirePartner(scope.actor);
  const license = await getResellerLicense(scope, licenseNumber);
  const subscription = asActive(license.subscription);
  if (!subscription) throw missing();
  if (subscription.status === 'past_due')
    throw new DomainError('conflict', 'The last charge failed. Change the card first.');
  const priced = await priceTerms(scope, license, terms);
  await chargeNow(scope, license, draftChange(priced, toPaid(subscription), scope.now()));
};

/**
 * Replaces the card and charges an overdue period immediately. A card that is declined is kept for the next scheduled attempt.
 */
export const changeCard = async (
  scope: PartnerScope,
  { licenseNumber, token }: { licenseNumber: number; token: string },
): Promise<void> => {
  requirePartner(scope.actor);
  const { organizationId, ...license } = await getResellerLicense(scope, licenseNumber);
  const subscription = asActive(license.subscription);
  if (!subscription) throw missing();
  const { card } = await scope.services.partners.payments
    .changeCard(subscription.accountId, token)
    .catch(translateFailure);
  await scope.update('subscriptions').where('organizationId', '=', organizationId).set({ card }).execute();
  if (subscription.status === 'past_due') assertPaid(await renew(scope, organizationId));
};

/** Closes at the end of the paid time, or immediately with `expire`. */
export const closeSubscription = async (
  scope: PartnerScope,
  { licenseNumber, password, expire }: { licenseNumber: number; password: string; expire: boolean },
): Promise<void> => {
  requirePartner(scope.actor);
  const { organizationId } = await getResellerLicense(scope, licenseNumber);
  await assertPartnerPassword(scope, password);
  await openPlatformScope(scope.services, { kind: 'system' }).transaction(async (tx) => {
    const inside = enterOrganization(tx, organizationId);
    await lockOrganization(inside);
    const partner = enterPartner(tx, scope.partnerId);
    const subscription = await lockSubscription(partner, organizationId);
    await assertNoCharge(partner, organizationId);
    if (!asActive(subscription) && !(expire && subscription?.status === 'closing')) throw missing();
    const endsNow = expire || subscription?.status === 'past_due';
    await partner
      .update('subscriptions')
      .where('organizationId', '=', organizationId)
      .set({ status: endsNow ? 'closed' : 'closing', nextChargeAt: null })
      .execute();
    if (expire) await changePaidLicense(inside, { status: 'expired', paidUntil: tx.now() });
    else if (endsNow) await endUnpaid(inside);
  });
};
