import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '#server/storage/database-errors.ts';
import type { Subscription } from '../../accounts/subscriptions/active-subscription.ts';
import { DomainError } from '../../errors.ts';
import { openPlatformScope, type PartnerScope, type PlatformScope } from '../../scope.ts';
import type { ResellerLicense } from '../resellers/licenses.ts';
import { type SettledCharge, translateFailure } from './card-payments.ts';
import type { DraftCharge } from './draft-charges.ts';
import { stopWaitingForCharge } from './dunning.ts';
import type { ChargeRecord } from './records.ts';
import { settleCharge } from './settle-charge.ts';

const changeInProgress = (): DomainError =>
  new DomainError('conflict', 'Another change to the subscription is in progress');

/** Serializes charges of a license and the closing of its subscription. */
export const lockSubscription = async (tx: PartnerScope, organizationId: string): Promise<Subscription | undefined> => {
  await tx
    .from('resellerLicenses')
    .where('organizationId', '=', organizationId)
    .select('organizationId')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return tx.from('subscriptions').where('organizationId', '=', organizationId).selectAll().executeTakeFirst();
};

/** For changes that a pending charge would overwrite. */
export const assertNoCharge = async (tx: PartnerScope, organizationId: string): Promise<void> => {
  const open = await tx
    .from('charges')
    .where('organizationId', '=', organizationId)
    .where('status', '=', 'open')
    .select('id')
    .executeTakeFirst();
  if (open) throw changeInProgress();
};

/** Throws if the subscription changed since the charge was drafted. */
const assertUnchanged = async (tx: PartnerScope, { organizationId, subscription }: ResellerLicense): Promise<void> => {
  const now = await lockSubscription(tx, organizationId);
  if (JSON.stringify(now) !== JSON.stringify(subscription)) throw changeInProgress();
};

/** Blocked licenses are not charged. */
export const assertNotBlocked = async ({ db }: PartnerScope, organizationId: string): Promise<void> => {
  const blocked = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .where('status', '=', 'blocked')
    .select('id')
    .executeTakeFirst();
  if (blocked) throw new DomainError('conflict', 'The license is blocked');
};

/** Of two concurrent charges only one is opened; the other throws a conflict. */
export const openCharge = async (
  scope: PartnerScope,
  license: ResellerLicense,
  { purpose, amountCents, terms }: DraftCharge,
): Promise<ChargeRecord> => {
  const { organizationId } = license;
  const row = { id: randomUUID(), organizationId, purpose, amountCents, terms: JSON.stringify(terms) };
  try {
    return await scope.transaction(async (tx) => {
      await assertUnchanged(tx, license);
      if (amountCents > 0) await assertNotBlocked(tx, organizationId);
      return tx
        .insert('charges', { ...row, createdAt: tx.now() })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    if (isUniqueViolation(error, 'charges_open')) throw changeInProgress();
    throw error;
  }
};

const CURRENCY = 'USD';

const openPlatform = ({ services }: PartnerScope): PlatformScope => openPlatformScope(services, { kind: 'system' });

const settle = (scope: PartnerScope, charge: ChargeRecord, outcome: SettledCharge): Promise<void> =>
  openPlatform(scope).transaction((tx) => settleCharge(tx, charge, outcome));

/** Charges the card and records the result. Without an answer from the provider the charge stays open for the job. */
export const carryOut = async (scope: PartnerScope, charge: ChargeRecord): Promise<SettledCharge> => {
  const { id, amountCents, terms, purpose } = charge;
  const outcome: SettledCharge =
    amountCents === 0
      ? { status: 'succeeded' }
      : await scope.services.partners.payments
          .charge({
            accountId: terms.accountId,
            amountCents,
            currency: CURRENCY,
            idempotencyKey: id,
            description: `${purpose}: ${terms.plan}, ${terms.seats} seats, ${terms.billingCycle}`,
          })
          .catch(translateFailure);
  await settle(scope, charge, outcome);
  return outcome;
};

const HOUR_MS = 3600 * 1000;
/** Providers remember idempotency keys for a day. The last attempt ends well before the charge is looked up. */
const RETRY_PERIOD_MS = 23 * HOUR_MS;
const LOOKED_FOR_AFTER_MS = 24 * HOUR_MS;

/**
 * Finishes a charge that was left open. It is repeated while the provider remembers its idempotency key. Afterwards repeating
 * could charge twice, so the charge is looked up, and one that is not found counts as declined. While the provider is unreachable
 * the license is kept only for a limited time.
 */
export const finishCharge = async (scope: PartnerScope, charge: ChargeRecord): Promise<void> => {
  const age = scope.now().getTime() - charge.createdAt.getTime();
  const { id, terms, amountCents } = charge;
  if (amountCents === 0 || age < RETRY_PERIOD_MS) await carryOut(scope, charge);
  if (amountCents === 0 || age < LOOKED_FOR_AFTER_MS) return;
  const found = await scope.services.partners.payments
    .findCharge({ accountId: terms.accountId, idempotencyKey: id })
    .catch(async (error) => {
      await openPlatform(scope).transaction((tx) => stopWaitingForCharge(tx, charge));
      return translateFailure(error);
    });
  await settle(
    scope,
    charge,
    found ?? { status: 'declined', reason: 'The payment provider could not be reached for a day' },
  );
};
