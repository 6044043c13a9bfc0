import type { OrganizationScope } from '../scope.ts';
import type { Period } from './period.ts';

export interface AvailabilityFilters {
  groupId?: number | undefined;
  agentId?: string | undefined;
}

/** Group 0 is everybody. */
const ALL_AGENTS = 0;

/**
 * When somebody took chats: the times of all agents laid over each other, so that two at once count once. An agent's time
 * begins with what was true when the period began. Bots are always there and would hide everybody.
 */
const TIMES = `
with meant as (
  select p.id from agents p
  where p.organization_id = $1 and p.kind = 'person' and ($4::text is null or p.id = $4)
    and ($5::int is null or exists (
      select from agent_groups g where g.organization_id = $1 and g.agent_id = p.id and g.group_id = $5))
), change as (
  select m.id as agent_id, $2::timestamptz as at, last.status = 'accepting chats' as takes, 0::bigint as id
  from meant m
  cross join lateral (
    select c.status from agent_status_changes c
    where c.organization_id = $1 and c.agent_id = m.id and c.changed_at <= $2
    order by c.changed_at desc, c.id desc limit 1
  ) last
  union all
  select m.id, c.changed_at, c.status = 'accepting chats', c.id
  from meant m
  join agent_status_changes c on c.organization_id = $1 and c.agent_id = m.id and c.changed_at > $2 and c.changed_at < $3
), stretch as (
  select c.at as start, c.takes, coalesce(lead(c.at) over (partition by c.agent_id order by c.at, c.id), $3) as stop from change c
), joined as (
  select t.start, t.stop, t.start > max(t.stop) over (order by t.start, t.stop rows between unbounded preceding and 1 preceding) as parted
  from stretch t where t.takes and t.stop > t.start
), island as (
  select j.start, j.stop, count(*) filter (where j.parted) over (order by j.start, j.stop) as number from joined j
)
select min(i.start) as start, max(i.stop) as stop from island i group by i.number order by 1`;

/** How long somebody took chats in each bucket, in milliseconds; not longer than until now. */
export const sumAvailability = async (
  scope: OrganizationScope,
  { buckets, from, to }: Period,
  { groupId, agentId }: AvailabilityFilters,
): Promise<number[]> => {
  const end = new Date(Math.min(to.getTime(), scope.now().getTime()));
  if (end <= from) return buckets.map(() => 0);
  const group = groupId === undefined || groupId === ALL_AGENTS ? null : groupId;
  const values = [scope.organizationId, from, end, agentId ?? null, group];
  const { rows } = await scope.executor.query<{ start: Date; stop: Date }>({ text: TIMES, values });
  let next = 0;
  return buckets.map((bucket) => {
    let sum = 0;
    while (next < rows.length && rows[next]!.stop <= bucket.start) next++;
    for (let n = next; n < rows.length && rows[n]!.start < bucket.end; n++) {
      const [start, stop] = [rows[n]!.start.getTime(), rows[n]!.stop.getTime()];
      sum += Math.min(stop, bucket.end.getTime()) - Math.max(start, bucket.start.getTime());
    }
    return sum;
  });
};
