import { findLicenseReferrers } from '#server/storage/platform-money.ts';
import type { Program } from '#server/storage/tables/program.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';

/** A partner who earns from a license. Tier 1 referred the license, tier 2 referred that partner. */
export interface Earner {
  partnerId: number;
  tier: 1 | 2;
  /** The program of the license, for both tiers. */
  program: Program;
  /** The campaign through which this partner referred the license or the other partner. */
  campaignId: number | null;
}

/** Ordered by partner id, so that ledgers are always locked in the same order. */
export const findEarners = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<Earner[]> => {
  const found = await findLicenseReferrers(tx.executor, organizationId);
  if (!found) return [];
  const { partnerId, referrerId } = found;
  const { program, campaignId } = await enterPartner(tx, partnerId)
    .from('referredLicenses')
    .where('organizationId', '=', organizationId)
    .select(['program', 'campaignId'])
    .executeTakeFirstOrThrow();
  const earners: Earner[] = [{ partnerId, tier: 1, program, campaignId }];
  if (referrerId !== null) {
    const referral = await enterPartner(tx, referrerId)
      .from('referredPartners')
      .where('referredId', '=', partnerId)
      .select('campaignId')
      .executeTakeFirstOrThrow();
    earners.push({ partnerId: referrerId, tier: 2, program, campaignId: referral.campaignId });
  }
  return earners.sort((one, other) => one.partnerId - other.partnerId);
};
