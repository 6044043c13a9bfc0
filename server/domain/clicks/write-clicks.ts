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

export interface Click extends Hit {
  id: string;
}

/** One click of a visitor on a link counts in this time. */
export const REPEAT_MS = 3_600_000;

const CLICKS_LOCK = 17;

/** In its own statement, so that the next one sees what was written by whoever had the turn before. */
const TAKE_TURN = {
  name: 'take_turn_to_write_clicks',
  text: 'select pg_advisory_xact_lock($1)',
  values: [CLICKS_LOCK],
};

/**
 * Whether a click counts is decided here, in the turn: a campaign may have been disabled, a partner blocked, and another
 * process may have written the same visitor's click a moment ago. A batch that is written again changes nothing.
 */
const WRITE = `
with given as (
  select * from unnest(
    $2::bigint[], $3::bigint[], $4::uuid[], $5::uuid[], $6::boolean[], $7::bytea[], $8::timestamptz[], $9::text[], $10::boolean[],
    $11::text[], $12::text[], $13::text[], $14::text[], $15::text[]) as g(
    partner_id, campaign_id, id, visitor_id, returning_visitor, fingerprint, clicked_at, reason, repeats, user_agent, referrer,
    utm_medium, utm_content, utm_term)
), judged as (
  select g.*, case
    when g.reason is not null then g.reason
    when p.blocked then 'partner_blocked'
    when c.disabled_at <= g.clicked_at then 'campaign_disabled'
    when g.repeats then 'repeat'
    when (
      select true from clicks k
      where k.partner_id = g.partner_id and k.visitor_id = g.visitor_id and k.campaign_id = g.campaign_id
        and k.clicked_at > g.clicked_at - $1 * interval '1 ms' and k.id <> g.id limit 1) then 'repeat'
    when not g.returning_visitor and (
      select true from clicks k
      where k.partner_id = g.partner_id and k.campaign_id = g.campaign_id and k.fingerprint = g.fingerprint
        and k.clicked_at > g.clicked_at - $1 * interval '1 ms' and k.id <> g.id limit 1) then 'repeat'
    end as why
  from given g
  join campaigns c on c.partner_id = g.partner_id and c.id = g.campaign_id
  join partners p on p.id = g.partner_id
), counted as (
  insert into clicks (partner_id, id, campaign_id, visitor_id, fingerprint, clicked_at, user_agent, referrer, utm_medium, utm_content, utm_term)
  select j.partner_id, j.id, j.campaign_id, j.visitor_id, j.fingerprint, j.clicked_at, j.user_agent, j.referrer, j.utm_medium, j.utm_content, j.utm_term
  from judged j where j.why is null
  on conflict (partner_id, id) do nothing
  returning partner_id, campaign_id, clicked_at, utm_medium, utm_content, utm_term
), uncounted as (
  insert into uncounted_clicks (partner_id, id, campaign_id, reason, visitor_id, fingerprint, clicked_at, user_agent, referrer)
  select j.partner_id, j.id, j.campaign_id, j.why, j.visitor_id, j.fingerprint, j.clicked_at, j.user_agent, j.referrer
  from judged j where j.why is not null
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

/** Which of them follow another one of the same batch. The statement cannot tell: it sees none of what it writes. */
const findRepeats = (clicks: readonly Click[]): Set<Click> => {
  const last = new Map<string, number>();
  const repeats = new Set<Click>();
  for (const click of clicks) {
    if (click.reason !== undefined) continue;
    const at = click.clickedAt.getTime();
    const visitor = `${click.campaignId} ${click.visitorId}`;
    const print = `${click.campaignId} ${click.fingerprint}`;
    const before = last.get(visitor) ?? (click.returning ? undefined : last.get(print));
    if (before !== undefined && at - before < REPEAT_MS) repeats.add(click);
    else last.set(visitor, at).set(print, at);
  }
  return repeats;
};

const PLAIN = /^[^"\\]*$/;

const quote = (text: string | undefined): string =>
  text === undefined ? 'null' : `"${PLAIN.test(text) ? text : text.replace(/["\\]/g, '\\$&')}"`;

/** A list as PostgreSQL writes it. Its driver would take twice as long to put it together. */
const listOf = (clicks: readonly Click[], write: (click: Click) => string | number | boolean): string =>
  `{${clicks.map(write).join(',')}}`;

/** In a transaction of its own: the turn lasts until its end. */
export const writeClicks = async (tx: Executor, clicks: readonly Click[]): Promise<void> => {
  const repeats = findRepeats(clicks);
  const values = [
    REPEAT_MS,
    listOf(clicks, ({ partnerId }) => partnerId),
    listOf(clicks, ({ campaignId }) => campaignId),
    listOf(clicks, ({ id }) => id),
    listOf(clicks, ({ visitorId }) => visitorId),
    listOf(clicks, ({ returning }) => returning),
    listOf(clicks, ({ fingerprint }) => `"\\\\x${fingerprint}"`),
    listOf(clicks, ({ clickedAt }) => clickedAt.toISOString()),
    listOf(clicks, ({ reason }) => quote(reason)),
    listOf(clicks, (click) => repeats.has(click)),
    listOf(clicks, ({ userAgent }) => quote(userAgent)),
    listOf(clicks, ({ referrer }) => quote(referrer)),
    listOf(clicks, ({ utmMedium }) => quote(utmMedium)),
    listOf(clicks, ({ utmContent }) => quote(utmContent)),
    listOf(clicks, ({ utmTerm }) => quote(utmTerm)),
  ];
  await tx.query(TAKE_TURN);
  await tx.query({ name: 'write_clicks', text: WRITE, values });
};
