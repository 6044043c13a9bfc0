import type { Product } from '#server/storage/tables/products.ts';
import type { Program, RateKind } from '#server/storage/tables/program.ts';
import type { PartnerScope } from '../../scope.ts';
import { pickRate, readRates } from '../rates/resolve.ts';

interface Rated {
  program: Program;
  product: Product;
  /** A campaign of the earning partner. */
  campaignId: number | null;
}

/**
 * Returns a function for the commission percent of a license now. Results are cached, because few rates decide for many licenses.
 */
export const readCommissionPercents = async (
  scope: PartnerScope,
  kind: RateKind,
): Promise<(license: Rated) => number> => {
  const { partnerId } = scope;
  const rates = await readRates(scope.db, { kind, partnerId });
  const at = scope.now();
  const cache = new Map<string, number>();
  return ({ program, product, campaignId }) => {
    const key = `${program} ${product} ${campaignId}`;
    const percent = cache.get(key) ?? pickRate(rates, { kind, partnerId, program, product, campaignId, at }).percent;
    cache.set(key, percent);
    return percent;
  };
};
