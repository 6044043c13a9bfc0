import { type MarketplaceRow, readMarketplace } from '#server/storage/platform-experts.ts';
import type { ExpertStatus } from '#server/storage/tables/experts.ts';
import type { BaseScope, PartnerScope } from '../../scope.ts';
import { findExpert } from './profile.ts';
import { firstMonth } from './views.ts';

/** An approved expert as shown in the marketplace. */
export type ListedExpert = MarketplaceRow;

/** The values by which the marketplace ranks experts. */
export interface Ranked {
  partnerId: number;
  comments: number;
  /** Views of the last twelve months. */
  views: number;
}

/** Ordered by the number of comments, then views, then age. */
export const rank = <E extends Ranked>(experts: readonly E[]): E[] =>
  experts.toSorted(
    (one, other) => other.comments - one.comments || other.views - one.views || one.partnerId - other.partnerId,
  );

export const readRanking = async ({ executor, now }: BaseScope): Promise<ListedExpert[]> =>
  rank(await readMarketplace(executor, firstMonth(now())));

/** The rank in the marketplace; 0 for experts who are not listed. */
export const positionOf = async (scope: PartnerScope): Promise<number> =>
  (await readRanking(scope)).findIndex(({ partnerId }) => partnerId === scope.partnerId) + 1;

export interface ExpertListing {
  status: ExpertStatus | 'none';
  position: number;
}

export const findExpertListing = async (scope: PartnerScope): Promise<ExpertListing> => {
  const expert = await findExpert(scope);
  if (!expert) return { status: 'none', position: 0 };
  return { status: expert.status, position: expert.status === 'approved' ? await positionOf(scope) : 0 };
};
