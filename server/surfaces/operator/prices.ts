import * as contract from '#contracts/operator/prices.ts';
import { listPrices, type PriceRecord, setPrices } from '#server/domain/accounts/payments/prices.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';

const present = (prices: PriceRecord[]): { prices: contract.Price[] } => ({
  prices: prices.map(({ plan, billingCycle, seatCents }) => ({
    plan,
    billing_cycle: billingCycle,
    seat_cents: seatCents,
  })),
});

const operatorRoute = route<PlatformScope>();

export const priceRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.listPrices, async ({ scope }) => present(await listPrices(scope))),
  operatorRoute(contract.setPrices, async ({ body, scope }) => {
    const prices = body.prices.map(({ plan, billing_cycle, seat_cents }) => ({
      plan,
      billingCycle: billing_cycle,
      seatCents: seat_cents,
    }));
    return present(await setPrices(scope, prices));
  }),
];
