import { type RawBuilder, sql } from 'kysely';
import type { CutSpan, Days } from './range.ts';

const isNotEmpty = ({ from, until }: Days): boolean => from < until;

/**
 * The clicks of a span by `day`, `campaign_id` and UTM values, from the coarsest sums that fit: whole months, the days around
 * them, and single clicks where the span starts or ends within a day.
 */
export const clickRows = (partnerId: number, { days, months, ends }: CutSpan): RawBuilder<unknown> => {
  const whole = months ? [months.whole].filter(isNotEmpty) : [];
  const around = (months ? months.around : [days]).filter(isNotEmpty);
  const dimensions = sql`campaign_id, utm_medium, utm_content, utm_term`;
  const parts = [
    ...whole.map(
      ({ from, until }) => sql`
      select m.month as day, ${dimensions}, m.clicks from click_months m
      where m.partner_id = ${partnerId} and m.month >= ${from}::date and m.month < ${until}::date`,
    ),
    ...around.map(
      ({ from, until }) => sql`
      select d.day, ${dimensions}, d.clicks from click_days d
      where d.partner_id = ${partnerId} and d.day >= ${from}::date and d.day < ${until}::date`,
    ),
    ...ends.map(
      ({ from, until }) => sql`
      select (c.clicked_at at time zone 'UTC')::date as day, ${dimensions}, 1 as clicks from clicks c
      where c.partner_id = ${partnerId} and c.clicked_at >= ${from} and c.clicked_at < ${until}`,
    ),
  ];
  return sql.join(parts, sql` union all `);
};
