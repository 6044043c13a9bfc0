import { AGENT_MEASURES, CHAT_MEASURES, SUMS } from '#server/domain/support/reports/chat-measures.ts';
import { RESOLUTIONS } from '#server/domain/support/reports/resolutions.ts';
import type { Executor } from '#server/storage/executor.ts';
import { listEndedThreads } from './ended-threads.ts';
import { compareWithRebuild, rowsOf } from './maintain.ts';
import type { Projection } from './projection.ts';

/** A reader waits for at most one batch of another process. */
const BATCH = 500;
const REBUILD_BATCH = 5_000;

/** Messages between customers and agents, without notes, forms and system messages. */
const SPOKEN = `e.visibility = 'all' and e.type in ('message', 'file', 'rich_message')`;

/**
 * The facts of the threads `$2`. A response is a message of a person after one of the customer. Its time counts from the first
 * unanswered message of the customer. Messages after the end of a thread do not count.
 */
const WRITE_FACTS = `
with thread as materialized (
  select t.id, t.chat_id, t.created_at, t.closed_at, t.group_ids, t.tags, t.properties
  from threads t
  where t.organization_id = $1 and not t.active and t.closed_at is not null and t.id = any ($2)
), spoken as (
  select e.thread_id, e.number, e.created_at, e.author_id, e.author_kind = 'customer' as asks,
    lag(e.author_kind) over (partition by e.thread_id order by e.number) as before
  from thread t
  join events e on e.organization_id = $1 and e.thread_id = t.id and e.created_at <= t.closed_at and ${SPOKEN}
  left join agents p on p.organization_id = $1 and e.author_kind = 'agent' and p.id = e.author_id
  where e.author_kind = 'customer' or p.kind = 'person'
), turn as (
  select s.thread_id, s.number, s.created_at, s.author_id, s.asks, s.before,
    max(case when s.asks and s.before is distinct from 'customer' then s.created_at end)
      over (partition by s.thread_id order by s.number) as asked_at
  from spoken s
), response as (
  select u.thread_id, u.author_id, (extract(epoch from u.created_at - u.asked_at) * 1000)::bigint as ms,
    row_number() over (partition by u.thread_id order by u.number) as ordinal
  from turn u where not u.asks and u.before = 'customer'
), answered as (
  select r.thread_id, r.author_id, min(r.ms) filter (where r.ordinal = 1) as first_ms, count(*) as responses, sum(r.ms) as ms
  from response r group by r.thread_id, r.author_id
), chatted as (
  select t.id as thread_id, a.agent_id,
    sum(greatest(0, extract(epoch from least(a.ended_at, t.closed_at) - a.assigned_at) * 1000))::bigint as ms
  from thread t
  join assignments a on a.organization_id = $1 and a.chat_id = t.chat_id and a.thread_id = t.id
  join agents p on p.organization_id = $1 and p.id = a.agent_id and p.kind = 'person'
  group by t.id, a.agent_id
), worked as materialized (
  select w.thread_id, w.agent_id, t.created_at, r.first_ms, coalesce(r.responses, 0) as responses,
    coalesce(r.ms, 0) as ms, coalesce(c.ms, 0) as chatting_ms
  from thread t
  join thread_agents w on w.organization_id = $1 and w.thread_id = t.id
  left join answered r on r.thread_id = w.thread_id and r.author_id = w.agent_id
  left join chatted c on c.thread_id = w.thread_id and c.agent_id = w.agent_id
), total as (
  select w.thread_id, max(w.first_ms) as first_ms, sum(w.responses) as responses, sum(w.ms) as ms, sum(w.chatting_ms) as chatting_ms
  from worked w group by w.thread_id
), replied as (
  select s.thread_id from spoken s where not s.asks group by s.thread_id
), fact as (
  insert into chat_facts (organization_id, thread_id, started_at, group_ids, tags, engagement, rating, replied,
    first_response_ms, responses, response_ms, chatting_ms, greeting_display_id)
  select $1::uuid, t.id, t.created_at, t.group_ids, t.tags,
    case
      when t.properties -> 'lc2' ->> 'greeting_unique_id' is not null then 'auto_invite'
      when exists (
        select from assignments a
        where a.organization_id = $1 and a.chat_id = t.chat_id and a.thread_id = t.id and a.rule = 'started'
      ) then 'manual_invite'
      else 'immediate_start'
    end,
    case t.properties -> 'rating' ->> 'score' when '1' then 'good' when '0' then 'bad' end,
    r.thread_id is not null,
    s.first_ms, coalesce(s.responses, 0), coalesce(s.ms, 0), coalesce(s.chatting_ms, 0),
    t.properties -> 'lc2' ->> 'greeting_unique_id'
  from thread t
  left join total s on s.thread_id = t.id
  left join replied r on r.thread_id = t.id
)
insert into chat_agent_facts (organization_id, thread_id, agent_id, started_at, first_response_ms, responses, response_ms, chatting_ms)
select $1::uuid, w.thread_id, w.agent_id, w.created_at, w.first_ms, w.responses, w.ms, w.chatting_ms from worked w`;

const RESOLUTION_ROWS = `(values ${RESOLUTIONS.map(({ resolution, interval }) => `('${resolution}', interval '${interval}')`).join(', ')}) g(resolution, width)`;

/** Adds facts to their rollups, or subtracts them (`$2` is 1 or -1). */
const addToRollups = (facts: string) => `
with counted as (
  select d.dimension, f.started_at, ${CHAT_MEASURES}
  from chat_facts f
  cross join lateral (
    select '' as dimension
    union select 'g' || g from unnest(f.group_ids) g
    union select 't' || g from unnest(f.tags) g
  ) d
  where f.organization_id = $1 and ${facts}
  union all
  select 'a' || x.agent_id, f.started_at, ${AGENT_MEASURES}
  from chat_facts f
  join chat_agent_facts x on x.organization_id = $1 and x.thread_id = f.thread_id
  where f.organization_id = $1 and ${facts}
)
insert into chat_rollups as r (organization_id, dimension, resolution, at, ${SUMS.join(', ')})
select $1::uuid, c.dimension, b.resolution, b.at, ${SUMS.map((sum) => `$2::int * sum(c.${sum})`).join(', ')}
from counted c
cross join lateral (
  select g.resolution, date_bin(g.width, c.started_at, '2000-01-01Z') as at from ${RESOLUTION_ROWS}
) b
group by c.dimension, b.resolution, b.at
order by c.dimension, b.resolution, b.at
on conflict (organization_id, dimension, resolution, at)
do update set ${SUMS.map((sum) => `${sum} = r.${sum} + excluded.${sum}`).join(', ')}`;

const ADD_THREADS = addToRollups('f.thread_id = any ($3)');
const ADD_ALL = addToRollups('true');
const REMOVE_FACTS = 'delete from chat_facts f where f.organization_id = $1 and f.thread_id = any ($2)';

/** Facts and rollups change in one transaction, so that the rollups always equal the sums of the facts. */
const apply = async (tx: Executor, organizationId: string, threadIds: string[]): Promise<void> => {
  await tx.query({ text: ADD_THREADS, values: [organizationId, -1, threadIds] });
  await tx.query({ text: REMOVE_FACTS, values: [organizationId, threadIds] });
  await tx.query({ text: WRITE_FACTS, values: [organizationId, threadIds] });
  await tx.query({ text: ADD_THREADS, values: [organizationId, 1, threadIds] });
};

const rebuild = async (tx: Executor, organizationId: string): Promise<void> => {
  const values = [organizationId];
  await tx.query({ text: 'delete from chat_rollups r where r.organization_id = $1', values });
  await tx.query({ text: 'delete from chat_facts f where f.organization_id = $1', values });
  for await (const threadIds of listEndedThreads(tx, organizationId, REBUILD_BATCH))
    await tx.query({ text: WRITE_FACTS, values: [organizationId, threadIds] });
  await tx.query({ text: ADD_ALL, values: [organizationId, 1] });
};

/** A rollup from which everything was subtracted is equivalent to a missing one. */
const ROLLUPS = `${rowsOf({
  table: 'chat_rollups',
  owner: 'organization_id',
  key: `r.dimension || ' ' || r.resolution || ' ' || r.at`,
})} and r.chats <> 0`;

/**
 * The data of chat reports: facts about each ended thread and about each agent's work in it, and their sums over time for all
 * chats and for each group, agent and tag.
 *
 * Sources: `threads`, `events`, `assignments`, `thread_agents`, `agents`. Keys: thread ids. Enqueued by the events
 * `chat_deactivated`, `chat_started` (of an inactive chat), `thread_tagged`, `thread_untagged` and `thread_properties_…`, and
 * by the append statement for a message in an ended thread.
 */
export const reportFacts: Projection & { name: 'report_facts' } = {
  name: 'report_facts',
  owner: 'organization',
  tables: ['chat_facts', 'chat_agent_facts', 'chat_rollups'],
  batchSize: BATCH,
  apply,
  rebuild,
  check: (tx, organizationId) =>
    compareWithRebuild(
      tx,
      organizationId,
      [
        rowsOf({ table: 'chat_facts', owner: 'organization_id', key: 'r.thread_id' }),
        rowsOf({ table: 'chat_agent_facts', owner: 'organization_id', key: 'r.thread_id' }),
        ROLLUPS,
      ],
      rebuild,
    ),
};
