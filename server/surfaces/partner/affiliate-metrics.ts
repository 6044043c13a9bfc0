import * as measures from '#server/domain/partners/affiliates/measures.ts';
import { toAmount } from './present-account.ts';

interface AffiliateNumber {
  measure(about: { product?: measures.AnyProduct | undefined }): measures.Measure;
  /** Formats cents or counts. */
  present(value: number): number;
}

const asCount = (count: number): number => count;

/** The metrics that exist as a total, as a report and by campaign. */
export const affiliateMetrics = {
  clicks: { measure: measures.clicks, present: asCount },
  trials: { measure: measures.trials, present: asCount },
  conversions: { measure: measures.conversions, present: asCount },
  earnings: { measure: measures.affiliateEarnings, present: toAmount },
} as const satisfies Record<string, AffiliateNumber>;

export const metricNames = Object.keys(affiliateMetrics) as (keyof typeof affiliateMetrics)[];
