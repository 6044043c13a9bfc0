import { type RawBuilder, sql } from 'kysely';
import type { PartnerScope } from '../../scope.ts';
import { type DateRange, spanOf } from './range.ts';

const lengthOf = (start: number, end: number): number => Math.max(0, end - start);

/** Estimates by time whether more licenses were created inside the range than outside it. */
const coversMostLicenses = async (scope: PartnerScope, range: DateRange): Promise<boolean> => {
  const { first, last } = await scope
    .from('referredLicenses')
    .select(({ fn }) => [fn.min('createdAt').as('first'), fn.max('createdAt').as('last')])
    .executeTakeFirstOrThrow();
  if (!first || !last) return false;
  const { from, until } = spanOf(range);
  const inside = lengthOf(Math.max(+from, +first), Math.min(+until, +last));
  return inside > lengthOf(+first, +from) + lengthOf(+until, +last);
};

const DIMENSIONS = sql`product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term`;
const COUNTS = ['trials', 'qualified', 'installed', 'tenth_chat', 'paid', 'earned_cents'];
const NAMES = sql.join(COUNTS.map((name) => sql.ref(name)));
const SUMS = sql.join(COUNTS.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`));

const totals = (partnerId: number): RawBuilder<unknown> => sql`
  select ${DIMENSIONS}, ${NAMES} from performance_totals t where t.partner_id = ${partnerId} and t.trials > 0`;

const licenses = (partnerId: number, sign: 1 | -1, began: RawBuilder<unknown>): RawBuilder<unknown> => {
  const one = sql.lit(sign);
  const times = (milestone: string) => sql`${one} * (${sql.ref(`l.${milestone}`)} is not null)::int`;
  return sql`
    select l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term,
      ${one}, ${times('qualified_at')}, ${times('installed_at')}, ${times('tenth_chat_at')}, ${times('converted_at')},
      ${one} * coalesce(-s.amount_cents, 0)
    from referred_licenses l
    left join ledger_licenses s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
    where l.partner_id = ${partnerId} and l.program = 'affiliate' and ${began}`;
};

/**
 * Licenses created in the range by product, campaign and UTM values, with how far they came since. Reads either the licenses in
 * the range, or the totals minus the licenses outside it, whichever is fewer rows.
 */
export const licenseRows = async (scope: PartnerScope, range: DateRange): Promise<RawBuilder<unknown>> => {
  const { partnerId } = scope;
  if (!range.from && !range.until) return sql`${totals(partnerId)} order by ${DIMENSIONS}`;
  const { from, until } = spanOf(range);
  const parts = (await coversMostLicenses(scope, range))
    ? [
        totals(partnerId),
        licenses(partnerId, -1, sql`l.created_at < ${from}`),
        licenses(partnerId, -1, sql`l.created_at >= ${until}`),
      ]
    : [licenses(partnerId, 1, sql`l.created_at >= ${from} and l.created_at < ${until}`)];
  return sql`
    select ${DIMENSIONS}, ${SUMS} from (${sql.join(parts, sql` union all `)}) n (${DIMENSIONS}, ${NAMES})
    group by ${DIMENSIONS} having sum(trials) > 0`;
};
