import type { PartnerScope } from '../../scope.ts';
import { affiliateEarnings, conversions, trials } from './measures.ts';
import { dayOf } from './range.ts';
import { listPeriods } from './report.ts';
import { sumByPeriod } from './sum-measures.ts';

export interface HistoryMonth {
  /** `YYYY-MM`. */
  month: string;
  trials: number;
  paid: number;
  earnedCents: number;
}

const MONTHS = 12;

/** The current month and the eleven before it. */
export const readHistory = async (scope: PartnerScope): Promise<HistoryMonth[]> => {
  const now = scope.now();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const span = { from: new Date(Date.UTC(year, month - MONTHS + 1)), until: new Date(Date.UTC(year, month + 1)) };
  const [began, paid, earned] = await Promise.all(
    [trials({}), conversions({}), affiliateEarnings({})].map((one) => sumByPeriod(scope, one, span, 'month')),
  );
  return listPeriods('month', span).map(({ from }) => {
    const day = dayOf(from);
    const of = (sums: Map<string, number> | undefined): number => sums?.get(day) ?? 0;
    return { month: day.slice(0, 7), trials: of(began), paid: of(paid), earnedCents: of(earned) };
  });
};
