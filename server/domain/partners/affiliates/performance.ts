import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';
import { type Counts, type Dimensions, type Part, readClicked, readJoined, readSignedUp } from './performance-parts.ts';
import { cutAtMonths, type DateRange, spanOf } from './range.ts';

/** The results of a campaign's links with the same UTM values. */
export interface PerformanceRow extends Dimensions, Counts {
  campaignName: string;
}

const ZERO_COUNTS: Counts = {
  ...{ clicks: 0, trials: 0, qualified: 0, installed: 0, tenthChat: 0, paid: 0, partnersReferred: 0, earnedCents: 0 },
};

const readNames = async (scope: PartnerScope): Promise<Map<number, string>> => {
  const campaigns = await scope.from('campaigns').select(['id', 'name']).execute();
  return new Map(campaigns.map(({ id, name }) => [id, name]));
};

/** Merges the parts by their dimensions. NUL separates the key, because PostgreSQL text cannot contain it. */
const addUp = (parts: Part[], names: Map<number, string>): PerformanceRow[] => {
  const rows = new Map<string, PerformanceRow>();
  for (const part of parts) {
    const { product, campaignId, utmCampaign, utmMedium, utmContent, utmTerm } = part;
    const key = `${product}\0${campaignId}\0${utmCampaign}\0${utmMedium}\0${utmContent}\0${utmTerm}`;
    const row = rows.get(key);
    if (!row) rows.set(key, { campaignName: names.get(campaignId) ?? '', ...ZERO_COUNTS, ...part });
    else for (const name in ZERO_COUNTS) row[name as keyof Counts] += part[name as keyof Counts] ?? 0;
  }
  return [...rows.values()];
};

/** The order of the totals table, so that the rows are almost sorted. */
const ORDER = ['product', 'campaignId', 'utmCampaign', 'utmMedium', 'utmContent', 'utmTerm'] as const;

const compare = (one: PerformanceRow, other: PerformanceRow): number => {
  for (const name of ORDER) if (one[name] !== other[name]) return one[name] < other[name] ? -1 : 1;
  return 0;
};

/**
 * Clicks count by their own time. Licenses and referred partners count by their creation time, with everything they reached
 * since.
 */
export const readPerformance = async (scope: PartnerScope, range: DateRange): Promise<PerformanceRow[]> => {
  requirePartner(scope.actor);
  const span = cutAtMonths(spanOf(range));
  const [names, ...parts] = await Promise.all([
    readNames(scope),
    readClicked(scope, span),
    readSignedUp(scope, range),
    readJoined(scope, span),
  ]);
  return addUp(parts.flat(), names).sort(compare);
};
