import type { Selectable } from 'kysely';
import type { PricesTable } from '#server/storage/tables/ledger.ts';
import { requireOperator } from '../../access.ts';
import type { PlatformScope } from '../../scope.ts';

export type PriceRecord = Selectable<PricesTable>;

/** The prices of a seat per cycle, before discounts. */
export const listPrices = async (scope: PlatformScope): Promise<PriceRecord[]> => {
  requireOperator(scope.actor);
  return scope.db
    .selectFrom('prices')
    .orderBy('seatCents')
    .orderBy('plan')
    .orderBy('billingCycle')
    .selectAll()
    .execute();
};

/** Prices that are absent stay unchanged. New prices apply to the next charge. */
export const setPrices = async (scope: PlatformScope, prices: PriceRecord[]): Promise<PriceRecord[]> => {
  requireOperator(scope.actor);
  const last = new Map(prices.map((price) => [`${price.plan} ${price.billingCycle}`, price]));
  if (last.size > 0)
    await scope.db
      .insertInto('prices')
      .values([...last.values()])
      .onConflict((conflict) =>
        conflict.columns(['plan', 'billingCycle']).doUpdateSet((eb) => ({ seatCents: eb.ref('excluded.seatCents') })),
      )
      .execute();
  return listPrices(scope);
};
