import type { Selectable } from 'kysely';
import type { PricesTable } from '#server/storage/tables/ledger.ts';
import { requireOperator } from '../../access.ts';
import type { PlatformScope } from '../../scope.ts';

export type PriceRecord = Selectable<PricesTable>;

/** What a seat costs for one cycle, before any discount. */
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

/** Those that are not given stay. What is paid already stays paid; the next charge has the new price. */
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
