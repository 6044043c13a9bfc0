import type { Migration } from '../migrate.ts';

/** Clicks that were put down are kept by columns; see `domain/clicks/click-batch.ts`. Those of before become such. */
export const columnsOfClicks: Migration = {
  id: '0033',
  name: 'columns-of-clicks',
  up: `
update kept_clicks k set clicks = (
  select json_build_object(
    'partners', json_agg(c.partner_id order by c.n), 'campaigns', json_agg(c.campaign_id order by c.n),
    'visitors', json_agg(c.visitor_id order by c.n), 'known', json_agg(c.returning_visitor order by c.n),
    'fingerprints', json_agg(c.fingerprint order by c.n), 'times', json_agg(c.clicked_ms order by c.n),
    'reasons', json_agg(c.n * 6 - 5 order by c.n), 'agents', json_agg(c.n * 6 - 4 order by c.n),
    'referrers', json_agg(c.n * 6 - 3 order by c.n), 'mediums', json_agg(c.n * 6 - 2 order by c.n),
    'contents', json_agg(c.n * 6 - 1 order by c.n), 'terms', json_agg(c.n * 6 order by c.n),
    'texts', (
      select json_agg(t.text order by d.n, t.place)
      from rows from (json_to_recordset(k.clicks::json) as (
        reason text, user_agent text, referrer text, utm_medium text, utm_content text, utm_term text)) with ordinality
        as d(reason, user_agent, referrer, utm_medium, utm_content, utm_term, n),
      unnest(array[d.reason, d.user_agent, d.referrer, d.utm_medium, d.utm_content, d.utm_term]) with ordinality as t(text, place)))
  from rows from (json_to_recordset(k.clicks::json) as (
    partner_id bigint, campaign_id bigint, visitor_id text, returning_visitor boolean, fingerprint text, clicked_ms bigint))
    with ordinality as c(partner_id, campaign_id, visitor_id, returning_visitor, fingerprint, clicked_ms, n))::text
where k.clicks like '[%';
`,
};
