import { sql } from 'kysely';
import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';
import type { Measure } from './measures.ts';
import { cutAtDays, cutAtMonths, type DateRange, spanOf } from './range.ts';

export type Aggregation = 'day' | 'week' | 'month';

/** Whether sums by month are precise enough. */
const rowsOf = (scope: PartnerScope, measure: Measure, range: DateRange, by: Aggregation = 'month') => {
  requirePartner(scope.actor);
  const cut = by === 'month' ? cutAtMonths : cutAtDays;
  return measure(scope.partnerId, cut(spanOf(range)));
};

/** Money is in cents. */
export const sumOf = async (scope: PartnerScope, measure: Measure, range: DateRange): Promise<number> => {
  const rows = rowsOf(scope, measure, range);
  const found = await sql<{ value: number }>`
    select coalesce(sum(r.amount), 0)::bigint as value from (${rows}) r`.execute(scope.db);
  return found.rows[0]!.value;
};

/** Keyed by the first day of each period with a non-zero sum. */
export const sumByPeriod = async (
  scope: PartnerScope,
  measure: Measure,
  range: DateRange,
  aggregation: Aggregation,
): Promise<Map<string, number>> => {
  const rows = rowsOf(scope, measure, range, aggregation);
  const found = await sql<{ start: string; value: number }>`
    select date_trunc(${sql.lit(aggregation)}, d.day::timestamp)::date as start, sum(d.amount)::bigint as value
    from (select r.day, sum(r.amount) as amount from (${rows}) r group by 1) d group by 1`.execute(scope.db);
  return new Map(found.rows.map(({ start, value }) => [start, value]));
};

export interface CampaignTotal {
  id: number;
  name: string;
  product: string;
  value: number;
}

/** The campaigns with the highest sums, best first. Campaigns without any are left out. */
export const bestCampaigns = async (
  scope: PartnerScope,
  measure: Measure,
  { limit, ...range }: DateRange & { limit: number },
): Promise<CampaignTotal[]> => {
  const rows = rowsOf(scope, measure, range);
  const found = await sql<CampaignTotal>`
    select c.id, c.name, c.product, b.value
    from (
      select r.campaign_id, sum(r.amount)::bigint as value from (${rows}) r
      where r.campaign_id <> 0 group by 1 having sum(r.amount) > 0 order by 2 desc, 1 limit ${limit}) b
    join campaigns c on c.partner_id = ${scope.partnerId} and c.id = b.campaign_id
    order by b.value desc, c.id`.execute(scope.db);
  return found.rows;
};
