import type { ClickLane } from './clicks/click-lane.ts';
import type { CardPayments } from './subscriptions/card-payments.ts';

/** Services that only the partner program uses. */
export interface PartnerServices {
  /** The batch writer for clicks on partners' links. */
  clicks: ClickLane;
  /** The payment provider. */
  payments: CardPayments;
}
