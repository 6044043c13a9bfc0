import { requireOperator } from '../../access.ts';
import { definedFields } from '../../defined-fields.ts';
import { notFound } from '../../errors.ts';
import { openPartnerScope, type PlatformScope } from '../../scope.ts';
import { type Balances, readBalances } from '../ledger/balances.ts';
import { createRate, type NewRate } from '../rates/manage-rates.ts';
import { type FoundRate, rateFor } from '../rates/resolve.ts';
import type { PartnerRecord } from './accounts.ts';

export interface PartnerPage {
  partners: PartnerRecord[];
  /** The id of the last partner of this page, if there are more. */
  next?: number;
}

/** Oldest first. */
export const listPartners = async (
  scope: PlatformScope,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): Promise<PartnerPage> => {
  requireOperator(scope.actor);
  const found = await scope.db
    .selectFrom('partners')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .selectAll()
    .execute();
  const partners = found.slice(0, limit);
  return { partners, ...(found.length > limit ? { next: partners.at(-1)!.id } : {}) };
};

export interface PartnerDetails {
  partner: PartnerRecord;
  balances: Balances;
  /** The rates for a license of the main product without a campaign. */
  rates: Record<'commission' | 'discount' | 'secondTier', FoundRate>;
}

export const getPartner = async (scope: PlatformScope, id: number): Promise<PartnerDetails> => {
  requireOperator(scope.actor);
  const partner = await scope.db.selectFrom('partners').where('id', '=', id).selectAll().executeTakeFirst();
  if (!partner) throw notFound('Partner');
  const about = { partnerId: id, product: 'mainchat', at: scope.now() } as const;
  const [balances, commission, discount, secondTier] = await Promise.all([
    readBalances(openPartnerScope(scope.services, scope.actor, id)),
    rateFor(scope.db, { ...about, kind: 'commission', program: 'affiliate' }),
    rateFor(scope.db, { ...about, kind: 'discount', program: 'solution' }),
    rateFor(scope.db, { ...about, kind: 'second_tier', program: 'affiliate' }),
  ]);
  return { partner, balances, rates: { commission, discount, secondTier } };
};

interface PercentUntil {
  percent: number;
  endsAt?: Date | undefined;
}

export interface PartnerChanges {
  solutionStatus?: string | undefined;
  blocked?: boolean | undefined;
  commission?: PercentUntil | undefined;
  discount?: PercentUntil | undefined;
  secondTier?: PercentUntil | undefined;
}

const OWN_RATES = {
  commission: { kind: 'commission', program: 'affiliate' },
  discount: { kind: 'discount', program: 'solution' },
  secondTier: { kind: 'second_tier' },
} as const satisfies Record<string, Pick<NewRate, 'kind' | 'program'>>;

/**
 * Fields that are absent stay unchanged. A percent creates a rate for this partner only; when it ends, the previous rate applies
 * again.
 */
export const updatePartner = async (
  scope: PlatformScope,
  { id, solutionStatus, blocked, ...percents }: PartnerChanges & { id: number },
): Promise<PartnerDetails> => {
  requireOperator(scope.actor);
  await getPartner(scope, id);
  await scope.transaction(async (tx) => {
    const written = definedFields({ solutionStatus, blocked });
    if (Object.keys(written).length > 0)
      await tx.db.updateTable('partners').where('id', '=', id).set(written).execute();
    for (const name of ['commission', 'discount', 'secondTier'] as const)
      if (percents[name]) await createRate(tx, { ...OWN_RATES[name], ...percents[name], forPartnerId: id });
  });
  return getPartner(scope, id);
};
