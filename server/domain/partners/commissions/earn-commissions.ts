import type { Outcome } from '#server/storage/tables/ledger.ts';
import type { PaymentRecord } from '../../accounts/payments/find-payment.ts';
import {
  enterOrganization,
  enterPartner,
  type PartnerScope,
  type PlatformScope,
  type Transaction,
} from '../../scope.ts';
import { lockLedger } from '../ledger/balances.ts';
import { post } from '../ledger/post.ts';
import { percentOf } from '../ledger/proportion.ts';
import { rateFor } from '../rates/resolve.ts';
import { isSamePerson } from '../referrals/same-person.ts';
import { type Earner, findEarners } from './find-earners.ts';

const ownersOf = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<string[]> => {
  const owners = await enterOrganization(tx, organizationId)
    .from('agents')
    .where('permission', '=', 'owner')
    .select('id')
    .execute();
  return owners.map(({ id }) => id);
};

/** Checked with the ledger locked at the time of earning: a partner may have been blocked since the referral. */
const findExclusion = async (
  ledger: PartnerScope,
  owners: string[],
): Promise<'partner_blocked' | 'own_licence' | undefined> => {
  const { blocked, login, contactEmail } = await ledger.db
    .selectFrom('partners')
    .where('id', '=', ledger.partnerId)
    .select(['blocked', 'login', 'contactEmail'])
    .executeTakeFirstOrThrow();
  if (blocked) return 'partner_blocked';
  const billing = await ledger.from('partnerBilling').select('payoutAccount').executeTakeFirst();
  const partnerEmails = [login, contactEmail, billing?.payoutAccount ?? null];
  return owners.some((owner) => isSamePerson(owner, partnerEmails)) ? 'own_licence' : undefined;
};

const earnFor = async (
  tx: Transaction<PlatformScope>,
  earner: Earner,
  { organizationId, externalId, product, amountCents, paidAt }: PaymentRecord,
  { owners, isHeld }: { owners: string[]; isHeld: boolean },
): Promise<Outcome> => {
  const { partnerId, tier, program, campaignId } = earner;
  const ledger = enterPartner(tx, partnerId);
  await lockLedger(ledger);
  const exclusion = await findExclusion(ledger, owners);
  if (exclusion) return { partnerId, tier, cents: 0, because: exclusion };
  const kind = tier === 1 ? 'commission' : 'second_tier';
  const { percent, rule, rateId } = await rateFor(tx.db, { ...earner, kind, product, at: paidAt });
  const cents = percentOf(amountCents, percent);
  await post(ledger, {
    kind: 'commission',
    externalId: `payment ${externalId}`,
    program,
    product: tier === 1 ? product : 'partner_program',
    licenseProduct: product,
    campaignId,
    organizationId,
    paymentExternalId: externalId,
    percent,
    occurredAt: paidAt,
    entries: { commission: -cents, [isHeld ? 'held' : 'available']: cents },
  });
  return { partnerId, tier, cents, percent, because: rule, ...(rateId === undefined ? {} : { rateId }) };
};

/**
 * Posts the commission of every partner who earns by the payment, and records on the payment what each of them got and why, the
 * referring partner first. Commission of a blocked license is held.
 */
export const earnCommissions = async (
  tx: Transaction<PlatformScope>,
  payment: PaymentRecord,
  { isHeld }: { isHeld: boolean },
): Promise<void> => {
  const { organizationId, externalId } = payment;
  const earners = await findEarners(tx, organizationId);
  if (earners.length === 0) return;
  const owners = await ownersOf(tx, organizationId);
  const outcomes: Outcome[] = [];
  for (const earner of earners) outcomes.push(await earnFor(tx, earner, payment, { owners, isHeld }));
  await enterOrganization(tx, organizationId)
    .update('payments')
    .where('externalId', '=', externalId)
    .set({ outcome: JSON.stringify(outcomes.sort((one, other) => one.tier - other.tier)) })
    .execute();
};
