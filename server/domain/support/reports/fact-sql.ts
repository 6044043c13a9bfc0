import { WIDTHS } from './grains.ts';

/** Words between customers and agents: what is neither a note, a form nor said by the program. */
const SPOKEN = `e.visibility = 'all' and e.type in ('message', 'file', 'rich_message')`;

/**
 * The facts of threads, from what was kept of them. `threads` selects `id` of those that are meant. A response is what a
 * person says after the customer; it took as long as the customer waited since the first word that was not answered. What
 * is said in a thread after its end does not count any more.
 */
const factsOf = (threads: string) => `
with thread as materialized (
  select t.id, t.chat_id, t.created_at, t.closed_at, t.group_ids, t.tags, t.properties
  from threads t
  where t.organization_id = $1 and not t.active and t.closed_at is not null and t.id in (${threads})
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
    row_number() over (partition by u.thread_id order by u.number) as place
  from turn u where not u.asks and u.before = 'customer'
), answered as (
  select r.thread_id, r.author_id, min(r.ms) filter (where r.place = 1) as first_ms, count(*) as responses, sum(r.ms) as ms
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

const MEASURES = `1 as chats, (f.engagement = 'auto_invite')::int as auto_invites, (f.engagement = 'manual_invite')::int as manual_invites,
  coalesce(f.rating = 'good', false)::int as good, coalesce(f.rating = 'bad', false)::int as bad, (not f.replied)::int as not_replied`;
const workOf = (one: string) => `(${one}.first_response_ms is not null)::int as first_responses,
  coalesce(${one}.first_response_ms, 0) as first_response_ms, ${one}.responses, ${one}.response_ms, ${one}.chatting_ms`;

/** What every sum is made of, in the order of the columns. */
export const SUMS = [
  ...['chats', 'auto_invites', 'manual_invites', 'good', 'bad', 'not_replied'],
  ...['first_responses', 'first_response_ms', 'responses', 'response_ms', 'chatting_ms'],
];

/** Facts of chats as they are added up: `f` for the whole chat. */
export const CHAT_MEASURES = `${MEASURES}, ${workOf('f')}`;
/** `x` for the work of one agent in it. */
export const AGENT_MEASURES = `${MEASURES}, ${workOf('x')}`;

const GRAINS = `(values ${WIDTHS.map(({ grain, interval }) => `('${grain}', interval '${interval}')`).join(', ')}) g(grain, width)`;

/** Adds the facts to all sums that they belong to, or takes them away again (`$2` is 1 or -1). */
const sumUp = (facts: string) => `
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
insert into chat_rollups as r (organization_id, dimension, grain, at, ${SUMS.join(', ')})
select $1::uuid, c.dimension, b.grain, b.at, ${SUMS.map((sum) => `$2::int * sum(c.${sum})`).join(', ')}
from counted c
cross join lateral (
  select g.grain, date_bin(g.width, c.started_at, '2000-01-01Z') as at from ${GRAINS}
) b
group by c.dimension, b.grain, b.at
order by c.dimension, b.grain, b.at
on conflict (organization_id, dimension, grain, at)
do update set ${SUMS.map((sum) => `${sum} = r.${sum} + excluded.${sum}`).join(', ')}`;

/** `$2`: the threads. */
export const WRITE_FACTS = factsOf('select unnest($2::text[])');
/** `$3`: the threads. */
export const SUM_FACTS = sumUp('f.thread_id = any($3)');
