import type { Executor } from '#server/storage/executor.ts';
import type { OrganizationScope } from '../../scope.ts';
import { underReportLock } from './report-lock.ts';

const QUARTER_MS = 15 * 60_000;
/** Assignments are recorded within this time. */
const MAX_DELAY_MS = 4 * QUARTER_MS;
/** Reports cover four weeks, plus a day for time zones behind UTC. */
const RETENTION_MS = 30 * 24 * 3600 * 1000;

/**
 * The maximum number of chats assigned to people at the same time, for each quarter hour from `$2` to `$3` with at least one. A
 * quarter hour starts with the chats that are assigned then. If one assignment ends when another starts, they do not overlap.
 */
const COUNT = `
with answered as (
  select a.assigned_at, a.ended_at
  from assignments a
  join agents p on p.organization_id = $1 and p.id = a.agent_id and p.kind = 'person'
  where a.organization_id = $1 and a.assigned_at < $3 and (a.ended_at is null or a.ended_at > $2)
), step as (
  select greatest(a.assigned_at, $2) as at, 1 as step from answered a
  union all
  select a.ended_at, -1 from answered a where a.ended_at < $3
  union all
  select q.at, 0 from generate_series($2::timestamptz, $3::timestamptz - interval '15 minutes', interval '15 minutes') q(at)
), moment as (
  select s.at, sum(s.step) over (order by s.at) as open from step s
)
select date_bin('15 minutes', m.at, '2000-01-01Z') as at, max(m.open)::int as "maxChats"
from moment m group by 1 having max(m.open) > 0`;

const SELECT_MATERIALIZED_UNTIL = 'select s.until from occupancy_materialized s where s.organization_id = $1';
const MATERIALIZE = `
with quarter as (
  insert into occupancy_quarters (organization_id, at, max_chats) select $1::uuid, c.at, c."maxChats" from (${COUNT}) c
)
insert into occupancy_materialized (organization_id, until) values ($1, $3)
on conflict (organization_id) do update set until = excluded.until`;
const DELETE_OLD = 'delete from occupancy_quarters q where q.organization_id = $1 and q.at < $2';
const READ = `
select q.at, q.max_chats as "maxChats" from unnest($2::timestamptz[], $3::timestamptz[]) as d(start, stop)
join occupancy_quarters q on q.organization_id = $1 and q.at >= d.start and q.at < d.stop`;

export interface Quarter {
  at: Date;
  maxChats: number;
}

const readMaterializedUntil = async (executor: Executor, organizationId: string): Promise<Date> => {
  const { rows } = await executor.query<{ until: Date }>({ text: SELECT_MATERIALIZED_UNTIL, values: [organizationId] });
  return rows[0]?.until ?? new Date(0);
};

/** Past quarter hours are final, so they are counted once and stored. Returns the end of the stored quarter hours. */
const materialize = async (scope: OrganizationScope): Promise<Date> => {
  const { organizationId } = scope;
  const until = new Date(Math.floor((scope.now().getTime() - MAX_DELAY_MS) / QUARTER_MS) * QUARTER_MS);
  const done = await readMaterializedUntil(scope.executor, organizationId);
  if (done >= until) return done;
  return underReportLock(scope, async (executor) => {
    const before = await readMaterializedUntil(executor, organizationId);
    if (before >= until) return before;
    const oldest = new Date(until.getTime() - RETENTION_MS);
    const from = before > oldest ? before : oldest;
    await executor.query({ text: DELETE_OLD, values: [organizationId, oldest] });
    await executor.query({ text: MATERIALIZE, values: [organizationId, from, until] });
    return until;
  });
};

interface Day {
  start: Date;
  end: Date;
}

/**
 * The quarter hours of these days with assigned chats. The days must be within the last four weeks. Open assignments
 * last until now.
 */
export const readQuarters = async (scope: OrganizationScope, days: Day[]): Promise<Quarter[]> => {
  const { executor, organizationId } = scope;
  const until = await materialize(scope);
  const read = async (text: string, ...values: unknown[]): Promise<Quarter[]> =>
    (await executor.query<Quarter>({ text, values: [organizationId, ...values] })).rows;
  const quarters = await read(
    READ,
    days.map(({ start }) => start),
    days.map(({ end }) => end),
  );
  for (const { start, end } of days.filter((day) => day.end > until)) {
    const from = new Date(Math.max(start.getTime(), until.getTime()));
    quarters.push(...(await read(COUNT, from, end)));
  }
  return quarters;
};
