import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Place } from '#server/storage/tables/visits.ts';

export interface LiveRow {
  customerId: string;
  visitorId: string | null;
  name: string | null;
  sessionFields: SessionFields;
  visitsCount: number;
  pageViewsCount: number;
  chatsCount: number;
  ownGroupId: number | null;
  visitGroupId: number | null;
  startedAt: Date | null;
  previousVisitAt: Date | null;
  referrer: string | null;
  ip: string | null;
  userAgent: string | null;
  language: string | null;
  timezone: string | null;
  place: Place | null;
  pages: { url: string; title: string | null; openedAt: string }[] | null;
  displays: { message: string; at: string; accepted: boolean; canceledAt: string | null; chatted: boolean }[] | null;
  closedAt: Date | null;
  threadId: string | null;
  chatGroupIds: number[] | null;
  chatStartedAt: Date | null;
  assigneeId: string | null;
  queuedAt: Date | null;
  agents: { login: string; name: string }[] | null;
  surveys: unknown[][] | null;
}

export const MOST_VISITORS = 10_000;
const MOST_IN_PATH = 50;

/** Whoever has a page or a socket open, and whoever chats by a program of its own, which has neither. */
const HERE = `
select v.customer_id from visits v
where v.organization_id = $1 and v.ended_at is null and (v.online_until > $2 or v.tracked_until > $2)
union
select h.customer_id from chats h
join customers u on u.organization_id = h.organization_id and u.id = h.customer_id and u.visitor_id is not null
where h.organization_id = $1 and h.active`;

/** One statement, however many are there; each part of it follows the visitor's own rows in an index. */
export const LIVE_VISITORS = `
select c.id as "customerId", c.visitor_id as "visitorId", c.name, c.session_fields as "sessionFields",
  c.visits_count as "visitsCount", c.page_views_count as "pageViewsCount", c.group_id as "ownGroupId",
  (select count(*)::int from chats h where h.organization_id = c.organization_id and h.customer_id = c.id) as "chatsCount",
  visit.group_id as "visitGroupId", visit.started_at as "startedAt", visit.referrer, visit.ip,
  visit.user_agent as "userAgent", visit.language, visit.timezone, visit.place,
  (select p.last_seen_at from visits p where p.organization_id = c.organization_id and p.customer_id = c.id
     and p.number = visit.number - 1) as "previousVisitAt",
  (select json_agg(json_build_object('url', p.url, 'title', p.title, 'openedAt', p.opened_at) order by p.number) from (
     select p.number, p.url, p.title, p.opened_at from visit_pages p
     where p.organization_id = c.organization_id and p.visit_id = visit.id
     order by p.number desc limit ${MOST_IN_PATH}) p) as pages,
  (select json_agg(json_build_object('message', d.message, 'at', d.displayed_at, 'accepted', d.accepted_at is not null,
       'canceledAt', d.canceled_at, 'chatted', d.chatted_at is not null) order by d.displayed_at)
   from greeting_displays d where d.organization_id = c.organization_id and d.visit_id = visit.id) as displays,
  (select max(t.closed_at) from chats h
   join threads t on t.organization_id = h.organization_id and t.chat_id = h.id
   where h.organization_id = c.organization_id and h.customer_id = c.id and t.closed_at >= visit.started_at) as "closedAt",
  chat.last_thread_id as "threadId", chat.group_ids as "chatGroupIds", chat.last_thread_created_at as "chatStartedAt",
  chat.assignee_id as "assigneeId",
  (select q.entered_at from queue_stays q
   where q.organization_id = c.organization_id and q.chat_id = chat.id and q.left_at is null) as "queuedAt",
  (select json_agg(json_build_object('login', a.id, 'name', a.name) order by u.joined_at, a.id) from chat_users u
   join agents a on a.organization_id = u.organization_id and a.id = u.user_id
   where u.organization_id = c.organization_id and u.chat_id = chat.id and u.kind = 'agent' and u.present
     and u.visibility = 'all') as agents,
  (select json_agg(e.content -> 'fields' order by e.number) from events e
   where e.organization_id = c.organization_id and e.thread_id = chat.last_thread_id and e.type = 'filled_form'
     and e.content ->> 'formType' = 'prechat') as surveys
from (${HERE}) here
join customers c on c.organization_id = $1 and c.id = here.customer_id
left join visits visit on visit.organization_id = $1 and visit.customer_id = c.id and visit.number = c.visits_count
left join lateral (
  select h.id, h.last_thread_id, h.group_ids, h.last_thread_created_at, h.assignee_id from chats h
  where h.organization_id = c.organization_id and h.customer_id = c.id and h.active
  order by h.last_thread_created_at desc limit 1
) chat on true
order by visit.started_at desc nulls last, c.id
limit ${MOST_VISITORS}`;
