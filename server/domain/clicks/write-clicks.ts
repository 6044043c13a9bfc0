import type { Executor } from '#server/storage/database.ts';
import type { WhyUncounted } from '#server/storage/tables/programme.ts';

/** Somebody asked for a link of a campaign. */
export interface Hit {
  partnerId: number;
  campaignId: number;
  visitorId: string;
  /** The visitor was known by a cookie; else only the fingerprint tells whether it came before. */
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
  select * from json_to_recordset($1) as g(
    partner_id bigint, campaign_id bigint, id uuid, visitor_id uuid, returning_visitor boolean, fingerprint text,
    clicked_at timestamptz, reason text, repeats boolean, user_agent text, referrer text, utm_medium text,
    utm_content text, utm_term text)
), judged as (
  select g.*, decode(g.fingerprint, 'hex') as print, case
    when g.reason is not null then g.reason
    when p.blocked then 'partner_blocked'
    when c.disabled_at <= g.clicked_at then 'campaign_disabled'
    when g.repeats then 'repeat'
    when g.returning_visitor and (
      select true from clicks k
      where k.partner_id = g.partner_id and k.visitor_id = g.visitor_id and k.campaign_id = g.campaign_id
        and k.clicked_at > g.clicked_at - $2 * interval '1 ms' and k.id <> g.id limit 1) then 'repeat'
    when not g.returning_visitor and (
      select true from clicks k
      where k.partner_id = g.partner_id and k.campaign_id = g.campaign_id and k.fingerprint = decode(g.fingerprint, 'hex')
        and k.clicked_at > g.clicked_at - $2 * interval '1 ms' and k.id <> g.id limit 1) then 'repeat'
    end as why
  from given g
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
  on conflict (partner_id, id) do nothing
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
    const before = last.get(click.returning ? visitor : print);
    if (before !== undefined && at - before < REPEAT_MS) repeats.add(click);
    else last.set(visitor, at).set(print, at);
  }
  return repeats;
};

const toRow = (click: Click, repeats: Set<Click>) => ({
  partner_id: click.partnerId,
  campaign_id: click.campaignId,
  id: click.id,
  visitor_id: click.visitorId,
  returning_visitor: click.returning,
  fingerprint: click.fingerprint,
  clicked_at: click.clickedAt,
  reason: click.reason,
  repeats: repeats.has(click),
  user_agent: click.userAgent,
  referrer: click.referrer,
  utm_medium: click.utmMedium,
  utm_content: click.utmContent,
  utm_term: click.utmTerm,
});

/** In a transaction of its own: the turn lasts until its end. */
export const writeClicks = async (tx: Executor, clicks: readonly Click[]): Promise<void> => {
  const repeats = findRepeats(clicks);
  const rows = JSON.stringify(clicks.map((click) => toRow(click, repeats)));
  await tx.query(TAKE_TURN);
  await tx.query({ name: 'write_clicks', text: WRITE, values: [rows, REPEAT_MS] });
};
