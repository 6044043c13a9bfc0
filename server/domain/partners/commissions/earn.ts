import type { Outcome } from '#server/storage/tables/ledger.ts';
import type { Product } from '#server/storage/tables/products.ts';
import {
  enterOrganization,
  enterPartner,
  type PartnerScope,
  type PlatformScope,
  type Transaction,
} from '../../scope.ts';
import { lockBook } from '../ledger/balances.ts';
import { percentOf } from '../ledger/portion.ts';
import { post } from '../ledger/post.ts';
import { rateFor } from '../rates/resolve.ts';
import { isSamePerson } from '../referrals/same-person.ts';
import { type Earner, findEarners } from './earners.ts';

/** What a commission is of. */
export interface PaidLicense {
  organizationId: string;
  externalId: string;
  product: Product;
  amountCents: number;
  paidAt: Date;
  /** Commission of a blocked license is held. */
  blocked: boolean;
}

const ownersOf = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<string[]> => {
  const owners = await enterOrganization(tx, organizationId)
    .from('agents')
    .where('permission', '=', 'owner')
    .select('id')
    .execute();
  return owners.map(({ id }) => id);
};

/** Looked at when it earns, with the book held: whoever was let in long ago may be blocked by now. */
const findObstacle = async (
  book: PartnerScope,
  owners: string[],
): Promise<'partner_blocked' | 'own_licence' | undefined> => {
  const { blocked, login, contactEmail } = await book.db
    .selectFrom('partners')
    .where('id', '=', book.partnerId)
    .select(['blocked', 'login', 'contactEmail'])
    .executeTakeFirstOrThrow();
  if (blocked) return 'partner_blocked';
  const billing = await book.from('partnerBilling').select('payoutAccount').executeTakeFirst();
  const known = [login, contactEmail, billing?.payoutAccount ?? null];
  return owners.some((owner) => isSamePerson(owner, known)) ? 'own_licence' : undefined;
};

const earnOne = async (
  tx: Transaction<PlatformScope>,
  earner: Earner,
  { organizationId, externalId, product, amountCents, paidAt, blocked }: PaidLicense,
  owners: string[],
): Promise<Outcome> => {
  const { partnerId, tier, program, campaignId } = earner;
  const book = enterPartner(tx, partnerId);
  await lockBook(book);
  const obstacle = await findObstacle(book, owners);
  if (obstacle) return { partnerId, tier, cents: 0, because: obstacle };
  const kind = tier === 1 ? 'commission' : 'second_tier';
  const { percent, rule, rateId } = await rateFor(tx.db, { ...earner, kind, product, at: paidAt });
  const cents = percentOf(amountCents, percent);
  await post(book, {
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
    entries: { commission: -cents, [blocked ? 'held' : 'available']: cents },
  });
  return { partnerId, tier, cents, percent, because: rule, ...(rateId === undefined ? {} : { rateId }) };
};

/** Each tier by itself; the answer tells what each partner got and why, the license's own partner first. */
export const earn = async (tx: Transaction<PlatformScope>, paid: PaidLicense): Promise<Outcome[]> => {
  const earners = await findEarners(tx, paid.organizationId);
  if (earners.length === 0) return [];
  const owners = await ownersOf(tx, paid.organizationId);
  const outcomes: Outcome[] = [];
  for (const earner of earners) outcomes.push(await earnOne(tx, earner, paid, owners));
  return outcomes.sort((one, other) => one.tier - other.tier);
};
