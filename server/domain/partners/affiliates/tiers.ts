import { type RawBuilder, sql } from 'kysely';
import type { BillingCycle } from '#server/storage/tables/ledger.ts';
import type { LicenseStatus, Plan } from '#server/storage/tables/organizations.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import { countConversations } from '../../accounts/licenses/count-conversations.ts';
import type { PartnerScope } from '../../scope.ts';
import { readCommissionPercents } from './commission-percents.ts';
import { type DateRange, type Span, spanOf } from './range.ts';

/** A license with details of the client. */
export interface ClientLicense {
  organizationId: string;
  clientEmail: string;
  program: Program;
  product: Product;
  campaignId: number | null;
  status: LicenseStatus;
  createdAt: Date;
  endsAt: Date | null;
  cardAddedAt: Date | null;
  installedAt: Date | null;
  convertedAt: Date | null;
  plan: Plan;
  seats: number;
  /** The cycle of the last payment; empty if there is none. */
  billingCycle: BillingCycle | '';
  utmSource: string;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
  earnedCents: number;
  /** The partner's commission percent of the next payment. */
  percent: number;
  conversations: number;
}

type Found = Omit<ClientLicense, 'percent' | 'conversations'>;

const CLIENT = sql`
  l.organization_id as "organizationId", coalesce(a.id, '') as "clientEmail", l.program, l.product, l.status,
  l.created_at as "createdAt", l.ends_at as "endsAt", l.card_added_at as "cardAddedAt", l.installed_at as "installedAt",
  l.converted_at as "convertedAt", o.plan, coalesce(p.seats, o.seats, 0) as seats, coalesce(p.billing_cycle, '') as "billingCycle",
  coalesce(-s.amount_cents, 0)::bigint as "earnedCents"`;

const joinClient = (partnerId: number): RawBuilder<unknown> => sql`
  join organizations o on o.id = l.organization_id
  left join agents a on a.organization_id = l.organization_id and a.permission = 'owner'
  left join ledger_licenses s on s.partner_id = ${partnerId} and s.organization_id = l.organization_id and s.account = 'commission'
  left join lateral (
    select n.seats, n.billing_cycle from payments n where n.organization_id = l.organization_id
    order by n.paid_at desc, n.id desc limit 1) p on true`;

const created = ({ from, until }: Span): RawBuilder<unknown> => sql`
  l.created_at >= ${from} and l.created_at < ${until} order by l.created_at desc, l.organization_id desc`;

const ownLicenses = (partnerId: number, span: Span) => sql<Found>`
  select ${CLIENT}, l.campaign_id as "campaignId", l.utm_source as "utmSource", l.utm_campaign as "utmCampaign",
    l.utm_medium as "utmMedium", l.utm_content as "utmContent", l.utm_term as "utmTerm"
  from referred_licenses l ${joinClient(partnerId)}
  where l.partner_id = ${partnerId} and l.program = 'affiliate' and ${created(span)}`;

/** The UTM values are those of the link that referred the partner, not those of the referred partner's own links. */
const licensesOfReferred = (partnerId: number, span: Span) => sql<Found>`
  select ${CLIENT}, r.campaign_id as "campaignId", '' as "utmSource", r.utm_campaign as "utmCampaign",
    r.utm_medium as "utmMedium", r.utm_content as "utmContent", r.utm_term as "utmTerm"
  from referred_partners r join referred_licenses l on l.partner_id = r.referred_id ${joinClient(partnerId)}
  where r.partner_id = ${partnerId} and ${created(span)}`;

/** Licenses that the partner referred (first tier) and licenses of partners it referred (second tier), newest first. */
export const listTiers = async (
  scope: PartnerScope,
  range: DateRange,
): Promise<{ first: ClientLicense[]; second: ClientLicense[] }> => {
  requirePartner(scope.actor);
  const span = spanOf(range);
  const [own, referred, percentOfOwn, percentOfReferred] = await Promise.all([
    ownLicenses(scope.partnerId, span).execute(scope.db),
    licensesOfReferred(scope.partnerId, span).execute(scope.db),
    readCommissionPercents(scope, 'commission'),
    readCommissionPercents(scope, 'second_tier'),
  ]);
  const ids = [...own.rows, ...referred.rows].map(({ organizationId }) => organizationId);
  const conversations = await countConversations(scope.executor, ids);
  const complete = (rows: Found[], percentOf: typeof percentOfOwn): ClientLicense[] =>
    rows.map((license) => ({
      ...license,
      percent: percentOf(license),
      conversations: conversations.get(license.organizationId) ?? 0,
    }));
  return { first: complete(own.rows, percentOfOwn), second: complete(referred.rows, percentOfReferred) };
};
