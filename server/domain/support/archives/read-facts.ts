import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope } from '../../scope.ts';
import { spokenText } from '../chats/append/spoken-text.ts';
import type { EventContent } from '../chats/records.ts';
import type { ThreadFacts } from './facts.ts';

export interface FoundThread extends ThreadFacts {
  id: string;
  chatId: string;
  createdAt: Date;
  customerName: string | null;
  customerEmail: string | null;
  sessionFields: SessionFields;
  /** What customers and agents said to each other, and what agents noted; absent unless it was asked for. */
  said: EventContent[] | null;
  noted: EventContent[] | null;
}

/** The visit on which a chat began: the latest that had begun then. `t` is the thread, `c` its chat. */
export const VISIT_OF_THREAD = `
  select v.* from visits v
  where v.organization_id = $1 and v.customer_id = c.customer_id and v.started_at <= t.created_at
  order by v.number desc limit 1`;

/** It waited, and then somebody took it. */
export const FIRST_WAIT = `
  select extract(epoch from q.left_at - q.entered_at)::int as seconds from queue_stays q
  where q.organization_id = $1 and q.thread_id = t.id and q.outcome = 'assigned'
  order by q.id limit 1`;

const wordyEvents = (visibility: 'all' | 'agents') => `case when $2 then (
    select jsonb_agg(e.content || jsonb_build_object('type', e.type) order by e.number) from events e
    where e.organization_id = $1 and e.thread_id = t.id and e.type in ('message', 'rich_message')
      and e.visibility = '${visibility}') end`;

const read = (which: string) => `
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
  ${wordyEvents('all')} as said, ${wordyEvents('agents')} as noted
from threads t
join chats c on c.organization_id = $1 and c.id = t.chat_id and not c.anonymized
join customers k on k.organization_id = $1 and k.id = c.customer_id
where t.organization_id = $1 and ${which}`;

const ENDED = read('t.id = any ($3) and not t.active');
const PENDING = read('t.active');

/** The facts of those of these threads that have ended. */
export const readEnded = async (
  scope: Pick<OrganizationScope, 'executor' | 'organizationId'>,
  threadIds: string[],
): Promise<FoundThread[]> =>
  (await scope.executor.query<FoundThread>({ text: ENDED, values: [scope.organizationId, true, threadIds] })).rows;

/** The facts of all that go on, which are few. */
export const readPending = async (scope: OrganizationScope, withTexts: boolean): Promise<FoundThread[]> =>
  (await scope.executor.query<FoundThread>({ text: PENDING, values: [scope.organizationId, withTexts] })).rows;

const textOf = (contents: EventContent[] | null): string =>
  (contents ?? []).map((content) => spokenText(content) ?? '').join('\n');

export const searchedText = ({ said, customerName, customerEmail }: FoundThread): string =>
  [customerName ?? '', customerEmail ?? '', textOf(said)].join('\n');

export const notedText = ({ noted }: FoundThread): string => textOf(noted);
