import { sql } from 'kysely';
import { requirePartner } from '../access.ts';
import type { PartnerScope } from '../scope.ts';
import type { Measure } from './measures.ts';
import { cutAtDays, type DateRange, spanOf } from './range.ts';

const rowsOf = (scope: PartnerScope, measure: Measure, range: DateRange) => {
  requirePartner(scope.actor);
  return measure(scope.partnerId, cutAtDays(spanOf(range)));
};

/** Cents for money. */
export const sumOf = async (scope: PartnerScope, measure: Measure, range: DateRange): Promise<number> => {
  const rows = rowsOf(scope, measure, range);
  const found = await sql<{ value: number }>`
    select coalesce(sum(r.amount), 0)::bigint as value from (${rows}) r`.execute(scope.db);
  return found.rows[0]!.value;
};

export type Aggregation = 'day' | 'week' | 'month';

/** By the first day of each period that has anything. */
export const sumByPeriod = async (
  scope: PartnerScope,
  measure: Measure,
  range: DateRange,
  aggregation: Aggregation,
): Promise<Map<string, number>> => {
  const rows = rowsOf(scope, measure, range);
  const found = await sql<{ start: string; value: number }>`
    select date_trunc(${sql.lit(aggregation)}, r.day::timestamp)::date as start, sum(r.amount)::bigint as value
    from (${rows}) r group by 1`.execute(scope.db);
  return new Map(found.rows.map(({ start, value }) => [start, value]));
};

export interface CampaignNumber {
  id: number;
  name: string;
  product: string;
  value: number;
}

/** The campaigns with the most of it, the best first; one without any is no good one. */
export const bestCampaigns = async (
  scope: PartnerScope,
  measure: Measure,
  { limit, ...range }: DateRange & { limit: number },
): Promise<CampaignNumber[]> => {
  const rows = rowsOf(scope, measure, range);
  const found = await sql<CampaignNumber>`
    select c.id, c.name, c.product, b.value
    from (
      select r.campaign_id, sum(r.amount)::bigint as value from (${rows}) r
      where r.campaign_id <> 0 group by 1 having sum(r.amount) > 0 order by 2 desc, 1 limit ${limit}) b
    join campaigns c on c.partner_id = ${scope.partnerId} and c.id = b.campaign_id
    order by b.value desc, c.id`.execute(scope.db);
  return found.rows;
};
