import type { Executor } from '#server/storage/executor.ts';
import type { OrganizationScope } from '../../scope.ts';
import { underReportLock } from './report-lock.ts';

const DAY_MS = 24 * 3600 * 1000;

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

const SETTLED = 'select s.until from availability_settled s where s.organization_id = $1';
const SETTLE = `
with span as (
  insert into availability_spans (organization_id, started_at, ended_at)
  select $1::uuid, s.start, s.stop from unnest($2::timestamptz[], $3::timestamptz[]) s(start, stop)
)
insert into availability_settled (organization_id, until) values ($1, $4)
on conflict (organization_id) do update set until = excluded.until`;
const READ_SETTLED = `
select s.started_at as start, s.ended_at as stop from availability_spans s
where s.organization_id = $1 and s.ended_at > $2 and s.started_at < $3 order by 1`;

export interface Times {
  start: Date;
  stop: Date;
}

interface Asked {
  from: Date;
  to: Date;
  agentId?: string | undefined;
  groupId?: number | undefined;
}

/** When any of those who are meant took chats. */
export const readTimes = async (executor: Executor, organizationId: string, asked: Asked): Promise<Times[]> => {
  if (asked.from >= asked.to) return [];
  const values = [organizationId, asked.from, asked.to, asked.agentId ?? null, asked.groupId ?? null];
  return (await executor.query<Times>({ text: TIMES, values })).rows;
};

const settledUntil = async (executor: Executor, organizationId: string): Promise<Date> => {
  const { rows } = await executor.query<{ until: Date }>({ text: SETTLED, values: [organizationId] });
  return rows[0]?.until ?? new Date(0);
};

/** What is older than a day is not changed any more: laid together once, it is read as it is. Says up to when. */
const settle = async (scope: OrganizationScope): Promise<Date> => {
  const { organizationId } = scope;
  const until = new Date(Math.floor(scope.now().getTime() / DAY_MS - 1) * DAY_MS);
  const settled = await settledUntil(scope.executor, organizationId);
  if (settled >= until) return settled;
  return underReportLock(scope, async (executor) => {
    const from = await settledUntil(executor, organizationId);
    if (from >= until) return from;
    const times = await readTimes(executor, organizationId, { from, to: until });
    const starts = times.map(({ start }) => start);
    const stops = times.map(({ stop }) => stop);
    await executor.query({ text: SETTLE, values: [organizationId, starts, stops, until] });
    return until;
  });
};

/** When anybody did. */
export const readEverybody = async (scope: OrganizationScope, from: Date, to: Date): Promise<Times[]> => {
  const { executor, organizationId } = scope;
  const until = await settle(scope);
  const { rows } = await executor.query<Times>({ text: READ_SETTLED, values: [organizationId, from, to] });
  return [...rows, ...(await readTimes(executor, organizationId, { from: from > until ? from : until, to }))];
};
