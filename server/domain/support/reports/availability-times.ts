import type { Executor } from '#server/storage/executor.ts';
import type { OrganizationScope } from '../../scope.ts';
import { underReportLock } from './report-lock.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * The times in which at least one agent was accepting chats: the union of the times of all agents. The status of an agent at
 * the start of the period is the last change before it. Bots are excluded, because they are always accepting chats.
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

const SELECT_MATERIALIZED_UNTIL = 'select s.until from availability_materialized s where s.organization_id = $1';
const MATERIALIZE = `
with span as (
  insert into availability_spans (organization_id, started_at, ended_at)
  select $1::uuid, s.start, s.stop from unnest($2::timestamptz[], $3::timestamptz[]) s(start, stop)
)
insert into availability_materialized (organization_id, until) values ($1, $4)
on conflict (organization_id) do update set until = excluded.until`;
const READ_MATERIALIZED = `
select s.started_at as start, s.ended_at as stop from availability_spans s
where s.organization_id = $1 and s.ended_at > $2 and s.started_at < $3 order by 1`;

export interface TimeRange {
  start: Date;
  stop: Date;
}

interface AgentTimesQuery {
  from: Date;
  to: Date;
  agentId?: string | undefined;
  groupId?: number | undefined;
}

/** The times in which any of the selected agents was accepting chats. */
export const readAgentTimes = async (
  executor: Executor,
  organizationId: string,
  query: AgentTimesQuery,
): Promise<TimeRange[]> => {
  if (query.from >= query.to) return [];
  const values = [organizationId, query.from, query.to, query.agentId ?? null, query.groupId ?? null];
  return (await executor.query<TimeRange>({ text: TIMES, values })).rows;
};

const readMaterializedUntil = async (executor: Executor, organizationId: string): Promise<Date> => {
  const { rows } = await executor.query<{ until: Date }>({ text: SELECT_MATERIALIZED_UNTIL, values: [organizationId] });
  return rows[0]?.until ?? new Date(0);
};

/**
 * Status changes older than a day are final, so their union is computed once and stored. Returns the end of the stored
 * times.
 */
const materialize = async (scope: OrganizationScope): Promise<Date> => {
  const { organizationId } = scope;
  const until = new Date(Math.floor(scope.now().getTime() / DAY_MS - 1) * DAY_MS);
  const done = await readMaterializedUntil(scope.executor, organizationId);
  if (done >= until) return done;
  return underReportLock(scope, async (executor) => {
    const from = await readMaterializedUntil(executor, organizationId);
    if (from >= until) return from;
    const times = await readAgentTimes(executor, organizationId, { from, to: until });
    const starts = times.map(({ start }) => start);
    const stops = times.map(({ stop }) => stop);
    await executor.query({ text: MATERIALIZE, values: [organizationId, starts, stops, until] });
    return until;
  });
};

/** The times in which any agent was accepting chats. */
export const readAllAgentTimes = async (scope: OrganizationScope, from: Date, to: Date): Promise<TimeRange[]> => {
  const { executor, organizationId } = scope;
  const until = await materialize(scope);
  const { rows } = await executor.query<TimeRange>({ text: READ_MATERIALIZED, values: [organizationId, from, to] });
  return [...rows, ...(await readAgentTimes(executor, organizationId, { from: from > until ? from : until, to }))];
};
