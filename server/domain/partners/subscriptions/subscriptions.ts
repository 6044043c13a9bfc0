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
import { renew } from './renew.ts';
import { priceTerms, type Terms } from './terms.ts';

/** Whoever asked is told at once why nothing came of it. */
const assertPaid = (outcome: SettledCharge | undefined): void => {
  if (outcome?.status === 'declined') throw invalid('token', `cannot be charged: ${outcome.reason}`);
};

const chargeNow = async (scope: PartnerScope, license: ResellerLicense, draft: DraftCharge): Promise<void> =>
  assertPaid(await carryOut(scope, await openCharge(scope, license, draft)));

const missing = (): DomainError => new DomainError('conflict', 'The license has no subscription');

/** Charges the first period at once. One that ended may begin anew; one that is closing goes on after the time it has paid for. */
export const subscribe = async (
  scope: PartnerScope,
  { licenseNumber, token, ...terms }: Terms & { licenseNumber: number; token: string },
): Promise<void> => {
  requirePartner(scope.actor);
  const license = await getResellerLicense(scope, licenseNumber);
  if (asActive(license.subscription)) throw new DomainError('conflict', 'The license has a subscription');
  const priced = await priceTerms(scope, license, terms);
  const { organizationId, endsAt, subscription } = license;
  const creditCents = subscription?.creditCents ?? 0;
  // A token is used up by an account.
  if (priced.price.netCents > creditCents) await assertNotBlocked(scope, organizationId);
  const account = await scope.services.payments.openAccount(token).catch(translateFailure);
  const isClosing = subscription?.status === 'closing' && endsAt !== null && endsAt > scope.now();
  await chargeNow(scope, license, draftStart(priced, isClosing ? endsAt : scope.now(), { ...account, creditCents }));
};

/** Other terms from now on, settled for the rest of what is paid. */
export const changeSubscription = async (
  scope: PartnerScope,
  { licenseNumber, ...terms }: Terms & { licenseNumber: number },
): Promise<void> => {
  requirePartner(scope.actor);
  const license = await getResellerLicense(scope, licenseNumber);
  const subscription = asActive(license.subscription);
  if (!subscription) throw missing();
  if (subscription.status === 'past_due')
    throw new DomainError('conflict', 'The last charge failed: give another card first');
  const priced = await priceTerms(scope, license, terms);
  await chargeNow(scope, license, draftChange(priced, toPaid(subscription), scope.now()));
};

/** Another card; what is owed is asked of it at once. One that cannot pay is kept for the next try, which comes when it would have. */
export const changeCard = async (
  scope: PartnerScope,
  { licenseNumber, token }: { licenseNumber: number; token: string },
): Promise<void> => {
  requirePartner(scope.actor);
  const { organizationId, ...license } = await getResellerLicense(scope, licenseNumber);
  const subscription = asActive(license.subscription);
  if (!subscription) throw missing();
  const { card } = await scope.services.payments.changeCard(subscription.accountId, token).catch(translateFailure);
  await scope.update('subscriptions').where('organizationId', '=', organizationId).set({ card }).execute();
  if (subscription.status === 'past_due') assertPaid(await renew(scope, organizationId));
};

/** Ends with what is paid for, or at once. */
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
