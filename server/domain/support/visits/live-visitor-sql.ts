import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Place } from '#server/storage/tables/visits.ts';

/** Seconds since 1970, because thousands of numbers are parsed faster than dates. */
type Seconds = number;
const seconds = (column: string): string => `date_part('epoch', ${column})`;

/** A customer with the current visit; without one for visitors who chat through the account's own program. */
export interface LiveVisitorRow {
  customerId: string;
  visitorId: string | null;
  name: string | null;
  sessionFields: SessionFields;
  visitsCount: number;
  pageViewsCount: number;
  ownGroupId: number | null;
  visitId: string | null;
  visitGroupId: number | null;
  startedAt: Seconds | null;
  previousVisitAt: Seconds | null;
  referrer: string | null;
  ip: string | null;
  userAgent: string | null;
  language: string | null;
  timezone: string | null;
  place: Place | null;
}

const MAX_VISITORS = 10_000;
const MAX_PATH_LENGTH = 50;

const VISIT = `v.id, v.number, v.group_id, v.started_at, v.page_count, v.referrer, v.ip, v.user_agent, v.language,
    v.timezone, v.place`;

/** Visitors with an open page or socket at `$2`, latest first. */
const ONLINE = `(
  select v.customer_id, ${VISIT} from visits v
  where v.organization_id = $1 and v.ended_at is null and (v.online_until > $2 or v.tracked_until > $2)
  order by v.started_at desc, v.customer_id limit ${MAX_VISITORS}) who`;

/** The customers `$2`, each with the last visit if there is one. */
const NAMED = `(
  select c.id as customer_id, ${VISIT} from customers c
  left join visits v on v.organization_id = $1 and v.customer_id = c.id and v.number = c.visits_count
  where c.organization_id = $1 and c.id = any($2::uuid[])) who`;

const visitors = (who: string): string => `
select c.id as "customerId", c.visitor_id as "visitorId", c.name, c.session_fields as "sessionFields",
  c.visits_count as "visitsCount", c.page_views_count as "pageViewsCount", c.group_id as "ownGroupId", who.id as "visitId",
  who.group_id as "visitGroupId", ${seconds('who.started_at')} as "startedAt",
  ${seconds('p.last_seen_at')} as "previousVisitAt", who.referrer, who.ip, who.user_agent as "userAgent", who.language,
  who.timezone, who.place
from ${who}
join customers c on c.organization_id = $1 and c.id = who.customer_id
left join visits p on p.organization_id = $1 and p.customer_id = c.id and p.number = who.number - 1 and who.number > 1
order by who.started_at desc nulls last, c.id`;

export interface PastChatsRow {
  customerId: string;
  chatsCount: number;
  /** When the last of them was closed, if that was during the visit. */
  closedAt: Date | null;
}

const pastChats = (who: string): string => `
select h.customer_id as "customerId", count(distinct h.id)::int as "chatsCount", max(t.closed_at) as "closedAt"
from ${who}
join chats h on h.organization_id = $1 and h.customer_id = who.customer_id
left join threads t on t.organization_id = $1 and t.chat_id = h.id and t.closed_at >= who.started_at
group by h.customer_id`;

export interface DisplayRow {
  visitId: string;
  message: string;
  displayedAt: Date;
  acceptedAt: Date | null;
  canceledAt: Date | null;
}

const displays = (who: string): string => `
select d.visit_id as "visitId", d.message, d.displayed_at as "displayedAt", d.accepted_at as "acceptedAt",
  d.canceled_at as "canceledAt"
from ${who} join greeting_displays d on d.organization_id = $1 and d.visit_id = who.id
order by d.displayed_at`;

export interface PageRow {
  visitId: string;
  url: string;
  title: string | null;
  openedAt: Seconds;
}

/** The latest pages of each visit, in order. */
const pages = (who: string): string => `
select p.visit_id as "visitId", p.url, p.title, ${seconds('p.opened_at')} as "openedAt"
from ${who}
join visit_pages p on p.organization_id = $1 and p.visit_id = who.id and p.number > who.page_count - ${MAX_PATH_LENGTH}
order by p.visit_id, p.number`;

const queriesFor = (who: string) => ({
  visitors: visitors(who),
  pastChats: pastChats(who),
  displays: displays(who),
  pages: pages(who),
});

/** One statement per kind of row, each for all visitors. */
export type VisitorQueries = ReturnType<typeof queriesFor>;

export const onlineVisitorQueries: VisitorQueries = queriesFor(ONLINE);
export const namedVisitorQueries: VisitorQueries = queriesFor(NAMED);

export interface OpenChatRow {
  customerId: string;
  /** Whether the account's own program acts for the customer: there may be neither page nor socket. */
  remote: boolean;
  threadId: string;
  groupIds: number[];
  startedAt: Date;
  assigneeId: string | null;
  queuedAt: Date | null;
  agents: { login: string; name: string }[] | null;
  surveys: unknown[][] | null;
}

/** The latest active chat of each customer. There are at most as many as agents can handle plus the queue. */
export const OPEN_CHATS = `
select distinct on (h.customer_id) h.customer_id as "customerId", c.visitor_id is not null as remote,
  h.last_thread_id as "threadId", h.group_ids as "groupIds", h.last_thread_created_at as "startedAt",
  h.assignee_id as "assigneeId",
  (select q.entered_at from queue_entries q
   where q.organization_id = $1 and q.chat_id = h.id and q.left_at is null) as "queuedAt",
  (select json_agg(json_build_object('login', a.id, 'name', a.name) order by u.joined_at, a.id) from chat_users u
   join agents a on a.organization_id = u.organization_id and a.id = u.user_id
   where u.organization_id = $1 and u.chat_id = h.id and u.kind = 'agent' and u.present
     and u.visibility = 'all') as agents,
  (select json_agg(e.content -> 'fields' order by e.number) from events e
   where e.organization_id = $1 and e.thread_id = h.last_thread_id and e.type = 'filled_form'
     and e.content ->> 'formType' = 'prechat') as surveys
from chats h join customers c on c.organization_id = $1 and c.id = h.customer_id
where h.organization_id = $1 and h.active
order by h.customer_id, h.last_thread_created_at desc`;
