import { randomUUID } from 'node:crypto';
import type { Executor } from '#server/storage/database.ts';
import type { WhyUncounted } from '#server/storage/tables/programme.ts';

/** Somebody asked for a link of a campaign. */
export interface Hit {
  partnerId: number;
  campaignId: number;
  visitorId: string;
  /** Known by a cookie for so long that it tells all. Before, whoever has the same fingerprint may be the same visitor. */
  returning: boolean;
  /** In hexadecimal digits. */
  fingerprint: string;
  clickedAt: Date;
  /** Why it does not count, if that is known already. */
  reason: WhyUncounted | undefined;
  userAgent: string | undefined;
  referrer: string | undefined;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
}

/** One click of a visitor on a link counts in this time. */
export const REPEAT_MS = 3_600_000;

const CLICKS_LOCK = 17;

/**
 * In its own statement, so that the next one sees what was written by whoever had the turn before. Each click is looked for
 * by an index; a planner that does not know the tables yet would rather read them.
 */
const TAKE_TURN = {
  name: 'take_turn_to_write_clicks',
  text: `select pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
  values: [CLICKS_LOCK],
};

/**
 * Whether a click counts is decided here, in the turn: a campaign may have been disabled, a partner blocked, and another
 * process may have written the same visitor's click a moment ago. What is written again changes nothing.
 */
const writeFrom = (given: string): string => `
with ${given}, placed as (
  select g.*, decode(g.fingerprint, 'hex') as print,
    row_number() over (partition by g.reason is null, g.campaign_id, g.visitor_id order by g.clicked_at, g.id) > 1 as again,
    row_number() over (partition by g.reason is null, g.campaign_id, g.fingerprint order by g.clicked_at, g.id) > 1 as alike
  from given g
), judged as (
  select g.*, case
    when g.reason is not null then g.reason
    when p.blocked then 'partner_blocked'
    when c.disabled_at <= g.clicked_at then 'campaign_disabled'
    when g.again or (g.alike and not g.returning_visitor) then 'repeat'
    when (
      select true from clicks k
      where k.partner_id = g.partner_id and k.visitor_id = g.visitor_id and k.campaign_id = g.campaign_id
        and k.clicked_at > g.clicked_at - $2 * interval '1 ms' and k.id <> g.id limit 1) then 'repeat'
    when not g.returning_visitor and (
      select true from clicks k
      where k.partner_id = g.partner_id and k.campaign_id = g.campaign_id and k.fingerprint = g.print
        and k.clicked_at > g.clicked_at - $2 * interval '1 ms' and k.id <> g.id limit 1) then 'repeat'
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

const COLUMNS = `(
  partner_id bigint, campaign_id bigint, id uuid, visitor_id uuid, returning_visitor boolean, fingerprint text,
  clicked_ms bigint, reason text, user_agent text, referrer text, utm_medium text, utm_content text, utm_term text)`;

/** The reverse of `toText`. */
const readFrom = (source: string): string => `
  select g.partner_id, g.campaign_id, g.id, g.visitor_id, g.returning_visitor, g.fingerprint,
    to_timestamp(g.clicked_ms / 1000::float8) as clicked_at, g.reason, g.user_agent, g.referrer,
    coalesce(g.utm_medium, '') as utm_medium, coalesce(g.utm_content, '') as utm_content, coalesce(g.utm_term, '') as utm_term
  from ${source} as g${COLUMNS}`;

const WRITE = writeFrom(`given as (${readFrom('json_to_recordset($1::json)')})`);

const COUNT_KEPT = writeFrom(`taken as (delete from kept_clicks t where t.id = $1 returning t.clicks),
given as (${readFrom('taken t, json_to_recordset(t.clicks::json)')})`);

const field = (name: string, text: string | undefined): string => (text ? `,"${name}":${JSON.stringify(text)}` : '');

/** A click as the database reads it. Put together by hand: that takes half the time, and what is empty is left out. */
export const toText = (hit: Hit): string =>
  `{"partner_id":${hit.partnerId},"campaign_id":${hit.campaignId},"id":"${randomUUID()}","visitor_id":"${hit.visitorId}"` +
  `,"returning_visitor":${hit.returning},"fingerprint":"${hit.fingerprint}","clicked_ms":${hit.clickedAt.getTime()}` +
  `${field('reason', hit.reason)}${field('user_agent', hit.userAgent)}${field('referrer', hit.referrer)}` +
  `${field('utm_medium', hit.utmMedium)}${field('utm_content', hit.utmContent)}${field('utm_term', hit.utmTerm)}}`;

export const joinTexts = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** In a transaction of its own: the turn lasts until its end. */
export const writeClicks = async (tx: Executor, texts: readonly string[]): Promise<void> => {
  await tx.query(TAKE_TURN);
  await tx.query({ name: 'write_clicks', text: WRITE, values: [joinTexts(texts), REPEAT_MS] });
};

/** The same for clicks that were put down. Those that somebody else took meanwhile are no longer there. */
export const countKeptClicks = async (tx: Executor, id: string): Promise<void> => {
  await tx.query(TAKE_TURN);
  await tx.query({ name: 'count_kept_clicks', text: COUNT_KEPT, values: [id, REPEAT_MS] });
};
