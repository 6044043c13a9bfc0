import { type RawBuilder, sql } from 'kysely';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Place } from '#server/storage/tables/visits.ts';
import type { OrganizationScope } from '../../scope.ts';
import { agentLastEventAt, chatsCount, customerLastEventAt, threadsCount } from './customer-columns.ts';
import type { CustomerDetails } from './records.ts';

const MAX_PAGES = 10;

interface Row {
  id: string;
  name: string | null;
  email: string | null;
  emailVerifiedAt: Date | null;
  avatar: string | null;
  sessionFields: SessionFields;
  bannedUntil: Date | null;
  ownGroupId: number | null;
  createdAt: Date;
  chatsCount: number;
  threadsCount: number;
  visitsCount: number;
  pageViewsCount: number;
  greetingsShownCount: number;
  greetingsAcceptedCount: number;
  agentLastEventAt: Date | null;
  customerLastEventAt: Date | null;
  chatting: boolean;
  queued: boolean;
  invited: boolean | null;
  followed: boolean;
  startedAt: Date | null;
  endedAt: Date | null;
  onlineUntil: Date | null;
  visitGroupId: number | null;
  referrer: string | null;
  ip: string | null;
  userAgent: string | null;
  place: Place | null;
  pages: { url: string; title: string | null; openedAt: string }[] | null;
}

/** `found` selects customers by `id` and their order by `key`. One statement for any number of customers. */
const statement = (scope: OrganizationScope, found: RawBuilder<unknown>, order: 'asc' | 'desc') => {
  const agentId = scope.actor.kind === 'agent' ? scope.actor.id : null;
  const direction = sql.raw(order);
  return sql<Row & { key: Date | number }>`
with found as materialized (${found})
select found.key, customers.id, customers.name, customers.email, customers.email_verified_at, customers.avatar,
  customers.session_fields, customers.banned_until, customers.group_id as own_group_id, customers.created_at,
  customers.visits_count, customers.page_views_count, customers.greetings_shown_count, customers.greetings_accepted_count,
  ${chatsCount} as chats_count, ${threadsCount} as threads_count,
  ${agentLastEventAt} as agent_last_event_at, ${customerLastEventAt} as customer_last_event_at,
  exists (
    select from chats h
    where h.organization_id = customers.organization_id and h.customer_id = customers.id and h.active) as chatting,
  exists (
    select from chats h join queue_entries q on q.organization_id = h.organization_id and q.chat_id = h.id
    where h.organization_id = customers.organization_id and h.customer_id = customers.id and h.active
      and q.left_at is null) as queued,
  exists (
    select from customer_followers f
    where f.organization_id = customers.organization_id and f.customer_id = customers.id
      and f.agent_id = ${agentId}) as followed,
  visit.started_at, visit.ended_at, visit.online_until, visit.group_id as visit_group_id, visit.referrer, visit.ip,
  visit.user_agent, visit.place, visit.invited, visit.pages
from found
join customers on customers.organization_id = ${scope.organizationId} and customers.id = found.id
left join lateral (
  select v.started_at, v.ended_at, v.online_until, v.group_id, v.referrer, v.ip, v.user_agent, v.place,
    exists (
      select from greeting_displays d
      where d.organization_id = v.organization_id and d.visit_id = v.id
        and d.accepted_at is null and d.canceled_at is null) as invited,
    (select json_agg(json_build_object('url', p.url, 'title', p.title, 'openedAt', p.opened_at) order by p.number)
     from (
       select p.number, p.url, p.title, p.opened_at from visit_pages p
       where p.organization_id = v.organization_id and p.visit_id = v.id
       order by p.number desc limit ${MAX_PAGES}) p) as pages
  from visits v
  where v.organization_id = customers.organization_id and v.customer_id = customers.id
  order by v.number desc limit 1
) visit on true
order by found.key ${direction}, found.id ${direction}`;
};

const stateOf = ({ queued, chatting, invited, startedAt, endedAt }: Row): CustomerDetails['state'] => {
  if (queued) return 'queued';
  if (chatting) return 'chatting';
  if (!startedAt || endedAt) return 'offline';
  return invited ? 'invited' : 'browsing';
};

const visitOf = ({ startedAt, endedAt, referrer, ip, userAgent, place, pages }: Row): CustomerDetails['lastVisit'] =>
  startedAt
    ? {
        startedAt,
        ...(endedAt ? { endedAt } : {}),
        ...(referrer === null ? {} : { referrer }),
        ...(ip === null ? {} : { ip }),
        ...(userAgent === null ? {} : { userAgent }),
        ...(place === null ? {} : { place }),
        lastPages: (pages ?? []).map(({ url, title, openedAt }) => ({
          url,
          ...(title === null ? {} : { title }),
          openedAt: new Date(openedAt),
        })),
      }
    : undefined;

const toDetails = (row: Row, now: Date): CustomerDetails => {
  const { id, name, email, avatar, bannedUntil } = row;
  const lastVisit = visitOf(row);
  return {
    id,
    ...(name === null ? {} : { name }),
    ...(email === null ? {} : { email, emailVerified: row.emailVerifiedAt !== null }),
    ...(avatar === null ? {} : { avatar }),
    sessionFields: row.sessionFields,
    statistics: {
      chatsCount: row.chatsCount,
      threadsCount: row.threadsCount,
      visitsCount: row.visitsCount,
      pageViewsCount: row.pageViewsCount,
      greetingsShownCount: row.greetingsShownCount,
      greetingsAcceptedCount: row.greetingsAcceptedCount,
    },
    createdAt: row.createdAt,
    groupIds: [row.visitGroupId ?? row.ownGroupId ?? 0],
    state: stateOf(row),
    online: row.onlineUntil !== null && row.onlineUntil > now,
    followed: row.followed,
    ...(row.agentLastEventAt ? { agentLastEventAt: row.agentLastEventAt } : {}),
    ...(row.customerLastEventAt ? { customerLastEventAt: row.customerLastEventAt } : {}),
    ...(bannedUntil && bannedUntil > now ? { banEndsAt: bannedUntil } : {}),
    ...(lastVisit ? { lastVisit } : {}),
  };
};

/** Returns each customer with its sort key. */
export const readDetails = async (
  scope: OrganizationScope,
  found: RawBuilder<unknown>,
  order: 'asc' | 'desc' = 'asc',
): Promise<{ key: Date | number; customer: CustomerDetails }[]> => {
  const { rows } = await statement(scope, found, order).execute(scope.db);
  return rows.map((row) => ({ key: row.key, customer: toDetails(row, scope.now()) }));
};

/** The caller must check permissions. */
export const findDetails = async (scope: OrganizationScope, id: string): Promise<CustomerDetails | undefined> =>
  (await readDetails(scope, sql`select ${id}::uuid as id, 0 as key`))[0]?.customer;
