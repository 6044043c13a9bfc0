import { type RawBuilder, sql } from 'kysely';
import { requirePartner } from '../access.ts';
import type { PartnerScope } from '../scope.ts';
import { clickRows } from './click-rows.ts';
import type { AnyProduct } from './measures.ts';
import { type CutSpan, cutAtMonths, type DateRange, spanOf } from './range.ts';

/** What came of the links of a campaign with the same marks. */
export interface PerformanceRow {
  product: AnyProduct;
  campaignName: string;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
  clicks: number;
  trials: number;
  qualified: number;
  installed: number;
  /** Licences with ten chats. */
  tenthChat: number;
  paid: number;
  partnersReferred: number;
  earnedCents: number;
}

const MARKS = sql`product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term`;
const COUNTS = ['clicks', 'trials', 'qualified', 'installed', 'tenth_chat', 'paid', 'partners', 'cents'] as const;
type Count = (typeof COUNTS)[number];

/** Each part counts something; what it does not count is none. */
const counting = (counts: Partial<Record<Count, RawBuilder<unknown>>>): RawBuilder<unknown> =>
  sql.join(COUNTS.map((name) => sql`${counts[name] ?? sql`0`} as ${sql.ref(name)}`));

const clicked = (partnerId: number, span: CutSpan): RawBuilder<unknown> => sql`
  select c.product, k.campaign_id, c.slug as utm_campaign, k.utm_medium, k.utm_content, k.utm_term,
    ${counting({ clicks: sql`k.clicks` })}
  from (
    select n.campaign_id, n.utm_medium, n.utm_content, n.utm_term, sum(n.clicks) as clicks
    from (${clickRows(partnerId, span)}) n group by 1, 2, 3, 4
  ) k join campaigns c on c.partner_id = ${partnerId} and c.id = k.campaign_id`;

const signedUp = (partnerId: number, { from, until }: CutSpan): RawBuilder<unknown> => sql`
  select l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term,
    ${counting({
      trials: sql`1`,
      qualified: sql`(l.qualified_at is not null)::int`,
      installed: sql`(l.installed_at is not null)::int`,
      tenth_chat: sql`(l.tenth_chat_at is not null)::int`,
      paid: sql`(l.converted_at is not null)::int`,
      cents: sql`coalesce(-s.amount_cents, 0)`,
    })}
  from referred_licences l
  left join ledger_licences s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
  where l.partner_id = ${partnerId} and l.program = 'affiliate' and l.created_at >= ${from} and l.created_at < ${until}`;

/** The licences of a referred partner are its own; what they earn this one counts here. */
const joined = (partnerId: number, { from, until }: CutSpan): RawBuilder<unknown> => sql`
  select 'partner_program', coalesce(p.campaign_id, 0), p.utm_campaign, p.utm_medium, p.utm_content, p.utm_term,
    ${counting({ partners: sql`1`, cents: sql`coalesce(e.cents, 0)` })}
  from referred_partners p
  left join lateral (
    select -sum(s.amount_cents) as cents
    from referred_licences l
    join ledger_licences s on s.partner_id = ${partnerId} and s.organization_id = l.organization_id and s.account = 'commission'
    where l.partner_id = p.referred_id) e on true
  where p.partner_id = ${partnerId} and p.created_at >= ${from} and p.created_at < ${until}`;

/** Clicks by their own time; licences and partners, with all that came of them since, by when they began. */
export const readPerformance = async (scope: PartnerScope, range: DateRange): Promise<PerformanceRow[]> => {
  requirePartner(scope.actor);
  const { partnerId } = scope;
  const span = cutAtMonths(spanOf(range));
  const parts = [clicked, signedUp, joined].map((part) => part(partnerId, span));
  const sums = COUNTS.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`);
  const found = await sql<PerformanceRow>`
    select r.product, coalesce(c.name, '') as "campaignName", r.utm_campaign as "utmCampaign", r.utm_medium as "utmMedium",
      r.utm_content as "utmContent", r.utm_term as "utmTerm", r.clicks, r.trials, r.qualified, r.installed,
      r.tenth_chat as "tenthChat", r.paid, r.partners as "partnersReferred", r.cents as "earnedCents"
    from (
      select ${MARKS}, ${sql.join(sums)} from (${sql.join(parts, sql` union all `)}) part
      group by ${MARKS}) r
    left join campaigns c on c.partner_id = ${partnerId} and c.id = r.campaign_id
    order by 1, 2, r.campaign_id, 3, 4, 5, 6`.execute(scope.db);
  return found.rows;
};
