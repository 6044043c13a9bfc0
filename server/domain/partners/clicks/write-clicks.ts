import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { Executor } from '#server/storage/executor.ts';
import type { ClickBatch } from './click-batch.ts';

/** Only one click per visitor and link counts within this time. */
export const REPEAT_MS = 3_600_000;

/**
 * Clicks of the same partner within the repeat time. `is true` keeps the planner from using the index on partner and time, which
 * without statistics would read all clicks of that hour for each click.
 */
const isNear = `(k.partner_id = g.partner_id) is true and k.clicked_at > g.clicked_at - $2 * interval '1 ms'
        and k.clicked_at < g.clicked_at + $2 * interval '1 ms' and k.id <> g.id`;

/**
 * Decides under the lock whether clicks count: meanwhile the campaign may have been disabled, the partner blocked, or another
 * process may have written a click of the same visitor. Idempotent.
 */
const writeFrom = (given: string): string => `
with ${given}, placed as (
  select g.*, decode(g.fingerprint, 'hex') as print,
    row_number() over (partition by g.reason is null, g.campaign_id, g.visitor_id order by g.clicked_at, g.id) > 1 as again,
    row_number() over (partition by g.reason is null, g.campaign_id, g.fingerprint order by g.clicked_at, g.id) > 1 as alike
  from given g
), judged as (
  select g.*, case
    when g.reason <> 'repeat' then g.reason
    when p.blocked then 'partner_blocked'
    when c.disabled_at <= g.clicked_at then 'campaign_disabled'
    when g.reason is not null or g.again or (g.alike and not g.returning_visitor) then 'repeat'
    when (
      select true from clicks k
      where k.visitor_id = g.visitor_id and (k.campaign_id = g.campaign_id) is true and ${isNear} limit 1) then 'repeat'
    when not g.returning_visitor and (
      select true from clicks k
      where k.campaign_id = g.campaign_id and k.fingerprint = g.print and ${isNear} limit 1) then 'repeat'
    end as why
  from placed g
  join campaigns c on c.partner_id = g.partner_id and c.id = g.campaign_id
  join partners p on p.id = g.partner_id
), counted as (
  insert into clicks (partner_id, id, campaign_id, visitor_id, fingerprint, clicked_at, user_agent, referrer, utm_medium, utm_content, utm_term)
  select j.partner_id, j.id, j.campaign_id, j.visitor_id, j.print, j.clicked_at, j.user_agent, j.referrer, j.utm_medium, j.utm_content, j.utm_term
  from judged j where j.why is null
  on conflict (partner_id, id) do nothing
  returning partner_id, campaign_id, clicked_at, utm_medium, utm_content, utm_term
), uncounted as (
  insert into uncounted_clicks (partner_id, id, campaign_id, reason, visitor_id, fingerprint, clicked_at, user_agent, referrer)
  select j.partner_id, j.id, j.campaign_id, j.why, j.visitor_id, j.print, j.clicked_at, j.user_agent, j.referrer
  from judged j where j.why is not null
    and (j.reason is not null or not exists (select from clicks k where k.partner_id = j.partner_id and k.id = j.id))
  on conflict (partner_id, id) do nothing
), by_month as (
  insert into click_months (partner_id, month, campaign_id, utm_medium, utm_content, utm_term, clicks)
  select n.partner_id, date_trunc('month', n.clicked_at at time zone 'UTC')::date, n.campaign_id, n.utm_medium, n.utm_content, n.utm_term, count(*)
  from counted n group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (partner_id, month, campaign_id, utm_medium, utm_content, utm_term)
  do update set clicks = click_months.clicks + excluded.clicks
)
insert into click_days (partner_id, day, campaign_id, utm_medium, utm_content, utm_term, clicks)
select n.partner_id, (n.clicked_at at time zone 'UTC')::date, n.campaign_id, n.utm_medium, n.utm_content, n.utm_term, count(*)
from counted n group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
on conflict (partner_id, day, campaign_id, utm_medium, utm_content, utm_term)
do update set clicks = click_days.clicks + excluded.clicks`;

/**
 * The columns of a batch, see `click-batch.ts`. Visitor ids are cast row by row, so that an invalid one does not fail the others.
 */
const COLUMNS = `(
  partners bigint[], campaigns bigint[], visitors text[], known boolean[], fingerprints text[], times bigint[],
  reasons int[], agents int[], referrers int[], mediums int[], contents int[], terms int[], texts text[])`;

const readFrom = (source: string, only: string): string => `
  select g.partner_id, g.campaign_id, md5(b.id || ' ' || g.ordinal)::uuid as id, g.visitor_id::uuid as visitor_id,
    g.returning_visitor, g.fingerprint, to_timestamp(g.clicked_ms / 1000::float8) as clicked_at,
    b.texts[g.reason] as reason, b.texts[g.agent] as user_agent, b.texts[g.referrer] as referrer,
    coalesce(b.texts[g.medium], '') as utm_medium, coalesce(b.texts[g.content], '') as utm_content,
    coalesce(b.texts[g.term], '') as utm_term
  from ${source}, unnest(b.partners, b.campaigns, b.visitors, b.known, b.fingerprints, b.times, b.reasons, b.agents,
    b.referrers, b.mediums, b.contents, b.terms) with ordinality as g(partner_id, campaign_id, visitor_id, returning_visitor,
    fingerprint, clicked_ms, reason, agent, referrer, medium, content, term, ordinal)
  where ${only}`;

const WRITE =
  writeFrom(`batch as materialized (select $1::text as id, r.* from json_to_record($3::json) as r${COLUMNS}),
given as (${readFrom('batch b', 'coalesce(g.ordinal = $4, true)')})`);

const COUNT_STORED = writeFrom(`taken as (delete from click_batches t where t.id = $1 returning t.id, t.clicks),
batch as materialized (select t.id::text, r.* from taken t, json_to_record(t.clicks::json) as r${COLUMNS}),
given as (${readFrom('batch b', 'true')})`);

/** Writes a batch, or one click of it, in a separate transaction, which holds the lock until its end. */
export const writeClicks = async (
  tx: Executor,
  { id, text }: ClickBatch,
  ordinal: number | null = null,
): Promise<void> => {
  // A separate statement, so that the next one sees what the previous owner of the lock wrote.
  await lockInTransaction(tx, 'clicks');
  await tx.query({ name: 'write_clicks', text: WRITE, values: [id, REPEAT_MS, text, ordinal] });
};

/** Counts a stored batch, unless another process took it meanwhile. */
export const countStoredBatch = async (tx: Executor, id: string): Promise<void> => {
  await lockInTransaction(tx, 'clicks');
  await tx.query({ name: 'count_stored_batch', text: COUNT_STORED, values: [id, REPEAT_MS] });
};
