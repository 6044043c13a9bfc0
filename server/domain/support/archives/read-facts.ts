import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope } from '../../scope.ts';
import { plainTextOf } from '../chats/append/plain-text.ts';
import type { EventContent } from '../chats/records.ts';
import type { ThreadFacts } from './facts.ts';

export interface SearchableThread extends ThreadFacts {
  id: string;
  chatId: string;
  createdAt: Date;
  customerName: string | null;
  customerEmail: string | null;
  sessionFields: SessionFields;
  /** Public messages; null if texts were not requested. */
  said: EventContent[] | null;
  /** Notes; null if texts were not requested. */
  noted: EventContent[] | null;
}

/**
 * The visit during which a thread started: the customer's last visit before that time. `t` is the thread, `c` its chat.
 */
export const VISIT_OF_THREAD = `
  select v.* from visits v
  where v.organization_id = $1 and v.customer_id = c.customer_id and v.started_at <= t.created_at
  order by v.number desc limit 1`;

/** The first wait in the queue that ended with an assignment. */
export const FIRST_WAIT = `
  select extract(epoch from q.left_at - q.entered_at)::int as seconds from queue_entries q
  where q.organization_id = $1 and q.thread_id = t.id and q.outcome = 'assigned'
  order by q.id limit 1`;

const selectTexts = (visibility: 'all' | 'agents') => `case when $2 then (
    select jsonb_agg(e.content || jsonb_build_object('type', e.type) order by e.number) from events e
    where e.organization_id = $1 and e.thread_id = t.id and e.type in ('message', 'rich_message')
      and e.visibility = '${visibility}') end`;

const selectThreads = (condition: string) => `
select t.id, t.chat_id as "chatId", t.created_at as "createdAt", t.group_ids as "groupIds", t.tags,
  t.properties -> 'rating' as rating, c.customer_id as "customerId", k.visitor_id as "visitorId",
  k.name as "customerName", k.email as "customerEmail", k.session_fields as "sessionFields",
  array(select g.agent_id from thread_agents g where g.organization_id = $1 and g.thread_id = t.id) as "agentIds",
  exists (${FIRST_WAIT}) as queued,
  (select v.place from (${VISIT_OF_THREAD}) v) as place,
  coalesce((
    select json_agg(json_build_object('id', h.goal_id, 'trackerId', o.fields ->> 'salesTrackerId',
      'isSale', h.sale is not null or o.type = 'sales_tracker'))
    from goal_hits h join goals o on o.organization_id = $1 and o.id = h.goal_id
    where h.organization_id = $1 and h.thread_id = t.id), '[]') as goals,
  ${selectTexts('all')} as said, ${selectTexts('agents')} as noted
from threads t
join chats c on c.organization_id = $1 and c.id = t.chat_id and not c.anonymized
join customers k on k.organization_id = $1 and k.id = c.customer_id
where t.organization_id = $1 and ${condition}`;

const ENDED = selectThreads('t.id = any ($3) and not t.active');
const ACTIVE = selectThreads('t.active');

/** Skips threads that are active. */
export const readEndedThreads = async (
  scope: Pick<OrganizationScope, 'executor' | 'organizationId'>,
  threadIds: string[],
): Promise<SearchableThread[]> =>
  (await scope.executor.query<SearchableThread>({ text: ENDED, values: [scope.organizationId, true, threadIds] })).rows;

/** All active threads of the organization; there are few. */
export const readActiveThreads = async (scope: OrganizationScope, withTexts: boolean): Promise<SearchableThread[]> =>
  (await scope.executor.query<SearchableThread>({ text: ACTIVE, values: [scope.organizationId, withTexts] })).rows;

const textOf = (contents: EventContent[] | null): string =>
  (contents ?? []).map((content) => plainTextOf(content) ?? '').join('\n');

export const getSearchableText = ({ said, customerName, customerEmail }: SearchableThread): string =>
  [customerName ?? '', customerEmail ?? '', textOf(said)].join('\n');

export const getNoteText = ({ noted }: SearchableThread): string => textOf(noted);
