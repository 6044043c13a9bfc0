import { requireOperator } from '../../access.ts';
import type { PlatformScope } from '../../scope.ts';
import type { RefundRecord } from './refunds.ts';

export interface WaitingRefundPage {
  refunds: RefundRecord[];
  /** The id of the last refund of this page, if there are more. */
  next?: string;
}

/** Refunds that are not applied: reported before their payment, or larger than the amount that is not refunded yet. */
export const listWaitingRefunds = async (
  scope: PlatformScope,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<WaitingRefundPage> => {
  requireOperator(scope.actor);
  const found = await scope.db
    .selectFrom('refunds')
    .where('appliedAt', 'is', null)
    .where('externalId', '>', after)
    .orderBy('externalId')
    .limit(limit + 1)
    .selectAll()
    .execute();
  const refunds = found.slice(0, limit);
  return { refunds, ...(found.length > limit ? { next: refunds.at(-1)!.externalId } : {}) };
};
