import type { QueryResultRow } from 'pg';
import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { CampaignProduct } from './tables/program.ts';

/** Queries that run before the partner or the license of a visitor is known. */
const queryFirst = async <Row extends QueryResultRow>(
  executor: Executor,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> => (await executor.query<Row>({ name, text: `${PLATFORM_MARK} ${text}`, values })).rows[0];

/** The target of a link. Immutable except for the label of the coupon. */
export interface LinkRow {
  partnerId: number;
  campaignId: number;
  product: CampaignProduct;
  slug: string;
  landingUrl: string | null;
  trialDays: number;
  /** The label of the attached coupon. */
  offer: string | null;
}

const LINK = `
  select c.partner_id as "partnerId", c.id as "campaignId", c.product, c.slug, c.landing_url as "landingUrl",
    c.trial_days as "trialDays", o.label as offer
  from campaigns c left join coupons o on o.partner_id = c.partner_id and o.id = c.coupon_id and o.active`;

/** The campaign of a short link. */
export const findLinkByCode = (executor: Executor, code: string): Promise<LinkRow | undefined> =>
  queryFirst(executor, 'find_link_by_code', `${LINK} where c.code = $1`, [code]);

/** The campaign of a long link: the one it names, or else the partner's default campaign for the product. */
export const findLinkByParameters = (
  executor: Executor,
  { partnerId, slug, product }: { partnerId: number; slug: string; product: string },
): Promise<LinkRow | undefined> =>
  queryFirst(
    executor,
    'find_link_by_parameters',
    `${LINK} where c.partner_id = $1 and (c.slug = $2 or (c.is_default and c.product = $3))
     order by c.slug = $2 desc limit 1`,
    [partnerId, slug, product],
  );

/** A partner who may have referred a visitor, by one of their campaigns. */
export interface ReferrerRow {
  partnerId: number;
  blocked: boolean;
  login: string;
  contactEmail: string;
  payoutAccount: string | null;
  campaignId: number | null;
  campaignProduct: CampaignProduct | null;
  slug: string | null;
  trialDays: number | null;
  disabledAt: Date | null;
  /** A coupon that is still valid. */
  couponId: number | null;
}

const REFERRER = `p.id as "partnerId", p.blocked, p.login, p.contact_email as "contactEmail",
  b.payout_account as "payoutAccount", c.id as "campaignId", c.product as "campaignProduct", c.slug,
  c.trial_days as "trialDays", c.disabled_at as "disabledAt", o.id as "couponId"`;

/** The partner named in a long link. */
export const findNamedReferrer = (
  executor: Executor,
  { partnerId, slug, product }: { partnerId: number; slug: string; product: string },
): Promise<ReferrerRow | undefined> =>
  queryFirst(
    executor,
    'find_named_referrer',
    `select ${REFERRER}
     from partners p
     left join lateral (
       select * from campaigns n
       where n.partner_id = p.id and (n.slug = $2 or (n.is_default and n.product = $3))
       order by n.slug = $2 desc limit 1) c on true
     left join coupons o on o.partner_id = c.partner_id and o.id = c.coupon_id and o.active
     left join partner_billing b on b.partner_id = p.id
     where p.id = $1`,
    [partnerId, slug, product],
  );

export interface ClickingReferrerRow extends ReferrerRow {
  /** The click that was counted. */
  clickId: string | null;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
}

/** The partner whose link a visitor followed last, including repeated clicks that are not counted. */
export const findLastReferrer = (
  executor: Executor,
  { visitorId, since }: { visitorId: string; since: Date },
): Promise<ClickingReferrerRow | undefined> =>
  queryFirst(
    executor,
    'find_last_referrer',
    `with last as (
       (select n.partner_id, n.campaign_id, n.clicked_at from clicks n
        where n.visitor_id = $1 and n.clicked_at > $2 order by n.clicked_at desc limit 1)
       union all
       (select u.partner_id, u.campaign_id, u.clicked_at from uncounted_clicks u
        where u.visitor_id = $1 and u.clicked_at > $2 and u.reason = 'repeat' order by u.clicked_at desc limit 1)
       order by clicked_at desc limit 1
     )
     select ${REFERRER}, k.id as "clickId", coalesce(k.utm_medium, '') as "utmMedium",
       coalesce(k.utm_content, '') as "utmContent", coalesce(k.utm_term, '') as "utmTerm"
     from last l
     join partners p on p.id = l.partner_id
     join campaigns c on c.partner_id = l.partner_id and c.id = l.campaign_id
     left join lateral (
       select * from clicks n
       where n.visitor_id = $1 and n.partner_id = l.partner_id and n.campaign_id = l.campaign_id and n.clicked_at > $2
       order by n.clicked_at desc limit 1) k on true
     left join coupons o on o.partner_id = c.partner_id and o.id = c.coupon_id and o.active
     left join partner_billing b on b.partner_id = p.id`,
    [visitorId, since],
  );

/** Whether this address is the login of the owner of a license. */
export const ownsLicense = async (executor: Executor, login: string): Promise<boolean> =>
  (await queryFirst(
    executor,
    'owns_licence',
    `select a.organization_id from agents a
     where a.id = $1 and a.deleted_at is null and a.permission = 'owner' and a.address_confirmed_at is not null limit 1`,
    [login],
  )) !== undefined;

/** Whether someone was invited to own a license with this login and can still accept. */
export const isInvitedOwner = async (executor: Executor, login: string, now: Date): Promise<boolean> =>
  (await queryFirst(
    executor,
    'is_invited_owner',
    `select a.organization_id from agents a
     join agent_email_tokens t on t.organization_id = a.organization_id and t.agent_id = a.id
     where a.id = $1 and a.deleted_at is null and a.permission = 'owner'
       and t.kind = 'activation' and t.used_at is null and t.expires_at > $2 limit 1`,
    [login, now],
  )) !== undefined;

export interface MilestonesRow {
  organizationId: string;
  installedAt: Date | null;
  tenthChatAt: Date | null;
}

/** The milestones reached by the given licenses, of those that a partner referred. */
export const findMilestones = async (executor: Executor, organizationIds: string[]): Promise<MilestonesRow[]> => {
  const { rows } = await executor.query<MilestonesRow>({
    name: 'find_milestones',
    text: `${PLATFORM_MARK}
      select r.organization_id as "organizationId", r.installed_at as "installedAt", r.tenth_chat_at as "tenthChatAt"
      from referred_licenses r where r.organization_id = any($1)`,
    values: [organizationIds],
  });
  return rows;
};

/** Milestones are part of the partner performance projection. */
const ENQUEUE_CHANGED = `
  insert into projection_queue (owner_id, projection, key)
  select c.partner_id::text, 'partner_performance', c.organization_id::text from changed c`;

/** Records that the widget was seen on a site. */
export const setInstalled = async (executor: Executor, organizationId: string, at: Date): Promise<void> => {
  await executor.query({
    name: 'set_installed',
    text: `${PLATFORM_MARK}
      with changed as (
        update referred_licenses r set installed_at = $2, qualified_at = coalesce(r.qualified_at, $2)
        where r.organization_id = $1 and r.installed_at is null
        returning r.partner_id, r.organization_id
      ) ${ENQUEUE_CHANGED}`,
    values: [organizationId, at],
  });
};

/** Records the first and the tenth chat in which a customer wrote. */
export const setChatted = async (executor: Executor, organizationIds: string[]): Promise<void> => {
  await executor.query({
    name: 'set_chatted',
    text: `${PLATFORM_MARK}
      with changed as (
      update referred_licenses r
      set qualified_at = coalesce(r.qualified_at, chats.first), tenth_chat_at = coalesce(r.tenth_chat_at, chats.tenth)
      from unnest($1::uuid[]) as o(id)
      cross join lateral (
        select min(n.created_at) as first, max(n.created_at) filter (where n.ordinal = 10) as tenth
        from (
          select t.created_at, row_number() over (order by t.created_at, t.id) as ordinal
          from threads t
          where t.organization_id = o.id and (
            select true from events e
            where e.organization_id = t.organization_id and e.thread_id = t.id and e.author_kind = 'customer' limit 1)
          order by t.created_at, t.id limit 10
        ) n
      ) chats
      where r.organization_id = o.id and r.tenth_chat_at is null
        and (chats.tenth is not null or (r.qualified_at is null and chats.first is not null))
      returning r.partner_id, r.organization_id
      ) ${ENQUEUE_CHANGED}`,
    values: [organizationIds],
  });
};

/** Licenses that can still reach milestones, in batches by id. */
export const findUnfinishedLicenses = async (executor: Executor, after: string, limit: number): Promise<string[]> => {
  const { rows } = await executor.query<{ id: string }>({
    name: 'find_unfinished_licenses',
    text: `${PLATFORM_MARK}
      select r.organization_id as id from referred_licenses r
      where r.organization_id > $1 and r.tenth_chat_at is null and r.status in ('trial', 'active')
      order by r.organization_id limit $2`,
    values: [after, limit],
  });
  return rows.map(({ id }) => id);
};
