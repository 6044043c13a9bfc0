import { findLicenseBringers } from '#server/storage/platform-money.ts';
import type { Program } from '#server/storage/tables/programme.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';

/** A partner who earns by a license: `1` brought the license, `2` brought that partner. */
export interface Earner {
  partnerId: number;
  tier: 1 | 2;
  /** The license's, for both. */
  program: Program;
  /** Of this partner: which brought the license, or the other partner. */
  campaignId: number | null;
}

/** In the order of their ids, so that whoever locks their books does it like everybody else. */
export const findEarners = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<Earner[]> => {
  const found = await findLicenseBringers(tx.executor, organizationId);
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
