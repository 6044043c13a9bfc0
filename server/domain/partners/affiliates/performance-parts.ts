import { type RawBuilder, sql } from 'kysely';
import type { PartnerScope } from '../../scope.ts';
import { clickRows } from './click-rows.ts';
import { licenseRows } from './license-rows.ts';
import type { AnyProduct } from './measures.ts';
import type { CutSpan, DateRange, Span } from './range.ts';

/** The dimensions of the report. `campaignId` is 0 if there is no campaign. */
export interface Dimensions {
  product: AnyProduct;
  campaignId: number;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
}

export interface Counts {
  clicks: number;
  trials: number;
  qualified: number;
  installed: number;
  /** Licenses with at least ten chats. */
  tenthChat: number;
  paid: number;
  partnersReferred: number;
  earnedCents: number;
}

export type Part = Dimensions & Partial<Counts>;

/** Bypasses the query builder's column mapping: there may be thousands of rows. */
const read = async ({ db, executor }: PartnerScope, statement: RawBuilder<unknown>): Promise<Part[]> => {
  const { sql: text, parameters } = statement.compile(db);
  return (await executor.query<Part & object>({ text, values: [...parameters] })).rows;
};

const DIMENSIONS = sql`product, campaign_id as "campaignId", utm_campaign as "utmCampaign", utm_medium as "utmMedium",
  utm_content as "utmContent", utm_term as "utmTerm"`;

export const readClicked = (scope: PartnerScope, span: CutSpan): Promise<Part[]> =>
  read(
    scope,
    sql`
    select c.product, k.campaign_id as "campaignId", c.slug as "utmCampaign", k.utm_medium as "utmMedium",
      k.utm_content as "utmContent", k.utm_term as "utmTerm", k.clicks
    from (
      select n.campaign_id, n.utm_medium, n.utm_content, n.utm_term, sum(n.clicks)::bigint as clicks
      from (${clickRows(scope.partnerId, span)}) n group by 1, 2, 3, 4
    ) k join campaigns c on c.partner_id = ${scope.partnerId} and c.id = k.campaign_id`,
  );

export const readSignedUp = async (scope: PartnerScope, range: DateRange): Promise<Part[]> => {
  await scope.services.projections.applyPending(scope.partnerId, 'partner_performance');
  return read(
    scope,
    sql`
    select ${DIMENSIONS}, trials, qualified, installed, tenth_chat as "tenthChat", paid, earned_cents as "earnedCents"
    from (${await licenseRows(scope, range)}) l`,
  );
};

/** Licenses of a referred partner count for that partner; the second-tier commission of them counts here. */
export const readJoined = (scope: PartnerScope, { from, until }: Span): Promise<Part[]> =>
  read(
    scope,
    sql`
    select 'partner_program' as product, coalesce(p.campaign_id, 0) as "campaignId", p.utm_campaign as "utmCampaign",
      p.utm_medium as "utmMedium", p.utm_content as "utmContent", p.utm_term as "utmTerm",
      count(*) as "partnersReferred", coalesce(sum(e.cents), 0)::bigint as "earnedCents"
    from referred_partners p
    left join lateral (
      select -sum(s.amount_cents) as cents
      from referred_licenses l
      join ledger_licenses s on s.partner_id = ${scope.partnerId} and s.organization_id = l.organization_id and s.account = 'commission'
      where l.partner_id = p.referred_id) e on true
    where p.partner_id = ${scope.partnerId} and p.created_at >= ${from} and p.created_at < ${until}
    group by 1, 2, 3, 4, 5, 6`,
  );
