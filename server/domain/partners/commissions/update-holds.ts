import type { Product } from '#server/storage/tables/products.ts';
import { enterPartner, type PartnerScope, type PlatformScope, type Transaction } from '../../scope.ts';
import { lockLedger } from '../ledger/balances.ts';
import { post } from '../ledger/post.ts';
import { type Earner, findEarners } from './find-earners.ts';

/** The number of holds and releases of the license in this ledger. */
const countMoves = async (ledger: PartnerScope, organizationId: string): Promise<number> => {
  const { moves } = await ledger
    .from('ledgerTransactions')
    .where('organizationId', '=', organizationId)
    .where('kind', 'in', ['hold', 'release'])
    .select((eb) => eb.fn.countAll<number>().as('moves'))
    .executeTakeFirstOrThrow();
  return moves;
};

interface License {
  organizationId: string;
  product: Product;
  blocked: boolean;
}

const moveCommission = async (
  tx: Transaction<PlatformScope>,
  { partnerId, tier, program, campaignId }: Earner,
  { organizationId, product, blocked }: License,
): Promise<void> => {
  const ledger = enterPartner(tx, partnerId);
  await lockLedger(ledger);
  const [from, to] = blocked ? (['available', 'held'] as const) : (['held', 'available'] as const);
  const found = await ledger
    .from('ledgerLicenses')
    .where('organizationId', '=', organizationId)
    .where('account', '=', from)
    .select('amountCents')
    .executeTakeFirst();
  if (!found?.amountCents) return;
  const kind = blocked ? 'hold' : 'release';
  await post(ledger, {
    kind,
    externalId: `${kind} ${organizationId} ${(await countMoves(ledger, organizationId)) + 1}`,
    program,
    product: tier === 1 ? product : 'partner_program',
    licenseProduct: product,
    campaignId,
    organizationId,
    occurredAt: tx.now(),
    entries: { [from]: -found.amountCents, [to]: found.amountCents },
  });
};

/**
 * Moves the commission that partners earned from a license to `held` while it is blocked, and back to `available` afterwards.
 * Idempotent; the caller holds the lock of the license.
 */
export const updateHolds = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<void> => {
  const { status, product } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['status', 'product'])
    .executeTakeFirstOrThrow();
  for (const earner of await findEarners(tx, organizationId))
    await moveCommission(tx, earner, { organizationId, product, blocked: status === 'blocked' });
};
