import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf } from '../values.ts';

export const Price = Type.Object({
  plan: oneOf('starter', 'team', 'business', 'enterprise'),
  billing_cycle: oneOf('monthly', 'annual'),
  seat_cents: Int32({ maximum: 100_000_000, description: 'For one seat and one cycle' }),
});
export type Price = Static<typeof Price>;

const Prices = Type.Object({ prices: Type.Array(Price) });

export const listPrices = defineOperation({
  name: 'list_prices',
  method: 'GET',
  path: '/operator/v1/prices',
  summary: 'The price of a seat by plan and billing cycle',
  responses: { 200: Prices },
});

export const setPrices = defineOperation({
  name: 'set_prices',
  method: 'PUT',
  path: '/operator/v1/prices',
  audit: true,
  summary: 'Sets prices; prices that are absent stay unchanged',
  description: 'The new price applies to the next charge of each subscription.',
  body: Type.Object({ prices: Type.Array(Price, { minItems: 1, maxItems: 20 }) }),
  responses: { 200: Prices },
});
