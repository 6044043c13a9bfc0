/** The shape of the seeded data. */
export const YEARS = 2;
/** The first partner has 5 % of all data. */
export const LARGE = 1;
export const TYPICAL = 2;
/** The partners that the first one referred. */
const REFERRED = [3, 12] as const;
const LARGE_CAMPAIGNS = 40;
const TYPICAL_CAMPAIGNS = 8;
const LARGE_SHARE = 0.05;
const CONVERTED_SHARE = 0.3;

/** Deterministic pseudorandom numbers. */
const hash = (n: string, salt: number): string => `(hashint8(${n} * 31 + ${salt}) & 1048575)`;
const random = (n: string, salt: number): string => `(${hash(n, salt)} / 1048576.0)`;
const pick = (n: string, salt: number, from: number | string): string => `(${hash(n, salt)} % ${from})`;
const partnerOf = (n: string, salt: number): string =>
  `case when ${random(n, salt)} < ${LARGE_SHARE} then ${LARGE} else ${TYPICAL} + ${pick(n, salt + 1, 'w.partners - 1')} end`;
const oneOf = (n: string, salt: number, values: string[]): string =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + ${pick(n, salt, values.length)}]`;
const medium = (n: string, salt: number): string => oneOf(n, salt, ['', '', 'mail', 'social', 'ads']);
const content = (n: string, salt: number): string => oneOf(n, salt, ['', 'top', 'side']);
const timeOf = (n: string, of: string): string =>
  `(w.opened + (w.now - w.opened) * (${n}::float8 / ${of}))::timestamptz(3)`;

/** `$1` to `$4` the numbers of partners, clicks, licenses and payments, `$5` the start time of the seeding, `$6` whether to write only the data of the first two partners. */
export const PARAMETERS = `
create temporary table seed_parameters as
select $1::bigint as partners, $2::bigint as clicks, $3::bigint as licenses, $4::bigint as payments, $5::timestamptz(3) as now,
  $5::timestamptz(3) - interval '${YEARS} years' as opened, $6::boolean as isolated`;

const isIncluded = (k: string): string => `(not w.isolated or ${k} <= ${TYPICAL})`;

export const PARTNERS = [
  `insert into partners (login, password_hash, first_name, last_name, contact_name, contact_email, created_at)
   select 'partner' || k || '@bench.test', 'x', 'P', 'P', 'P', 'p@bench.test', w.opened
   from seed_parameters w, generate_series(${TYPICAL + 1}, w.partners) k where not w.isolated or k <= ${REFERRED[1]} order by k`,
  `insert into campaigns (partner_id, product, name, slug, code, is_default, created_at)
   select p.id, d.product, d.product, d.product, md5(p.id || d.product), true, w.opened
   from seed_parameters w, partners p, (values ('mainchat'), ('chatbot'), ('partner_program')) d(product)
   where not exists (select from campaigns c where c.partner_id = p.id) order by p.id`,
  `insert into campaigns (partner_id, product, name, slug, code, created_at)
   select p.id, case when i % 5 = 0 then 'chatbot' else 'mainchat' end, 'Campaign ' || i, 'pp_campaign-' || i, md5(p.id || ' ' || i), w.opened
   from seed_parameters w, partners p, generate_series(1, case when p.login = 'partner${LARGE}@bench.test' then ${LARGE_CAMPAIGNS} else ${TYPICAL_CAMPAIGNS} end) i
   order by p.id, i`,
  `create temporary table parts as
   select substring(p.login from '\\d+')::bigint as k, p.id as partner_id,
     array(select c.id from campaigns c where c.partner_id = p.id order by c.id) as campaign_ids,
     (select c.id from campaigns c where c.partner_id = p.id and c.product = 'partner_program') as inviting_id
   from partners p`,
  'create unique index on parts (k)',
  'analyze parts',
  `insert into referred_partners (partner_id, referred_id, campaign_id, utm_campaign, created_at)
   select l.partner_id, r.partner_id, l.inviting_id, 'partner_program', w.opened
   from seed_parameters w, parts l, parts r where l.k = ${LARGE} and r.k between ${REFERRED[0]} and ${REFERRED[1]}`,
];

/** The clicks from number `$1` to `$2`, oldest first. */
export const CLICKS = `
with made as (
  select n, ${partnerOf('n', 1)} as k, ${timeOf('n', 'w.clicks')} as at from seed_parameters w, generate_series($1::bigint, $2::bigint) n
)
insert into clicks (partner_id, id, campaign_id, visitor_id, fingerprint, clicked_at, user_agent, utm_medium, utm_content)
select p.partner_id, md5('click' || m.n)::uuid, p.campaign_ids[1 + ${pick('m.n', 3, 'cardinality(p.campaign_ids)')}], md5('visitor' || m.n)::uuid,
  decode(md5('print' || m.n), 'hex'), m.at, 'Mozilla/5.0', ${medium('m.n', 4)}, ${content('m.n', 5)}
from seed_parameters w, made m join parts p on p.k = m.k where ${isIncluded('m.k')} order by m.n`;

/** The rollups that are normally written together with the clicks. */
export const CLICK_ROLLUPS = [
  `insert into click_days (partner_id, day, campaign_id, utm_medium, utm_content, utm_term, clicks)
   select c.partner_id, (c.clicked_at at time zone 'UTC')::date as day, c.campaign_id, c.utm_medium, c.utm_content, c.utm_term, count(*)
   from clicks c group by 1, 2, 3, 4, 5, 6 order by 2, 1`,
  `insert into click_months (partner_id, month, campaign_id, utm_medium, utm_content, utm_term, clicks)
   select d.partner_id, date_trunc('month', d.day::timestamp)::date as month, d.campaign_id, d.utm_medium, d.utm_content, d.utm_term, sum(d.clicks)
   from click_days d group by 1, 2, 3, 4, 5, 6 order by 2, 1`,
];

export const LICENSES = [
  `create temporary table licenses as
   select m.*, p.partner_id, p.campaign_ids[1 + ${pick('m.n', 13, 'cardinality(p.campaign_ids)')}] as campaign_id,
     case when ${random('m.n', 14)} < ${CONVERTED_SHARE} and m.at < m.now - interval '14 days' then m.at + interval '14 days' * ${random('m.n', 15)} end as converted_at,
     md5('license' || m.n)::uuid as organization_id, ${oneOf('m.n', 16, ['mainchat', 'mainchat', 'mainchat', 'chatbot', 'helpdesk'])} as product,
     case when ${random('m.n', 17)} < 0.9 then 'affiliate' else 'solution' end as program
   from (
     select n, w.now, w.isolated, ${partnerOf('n', 11)} as k, ${timeOf('n', 'w.licenses')} as at from seed_parameters w, generate_series(1, w.licenses) n
   ) m join parts p on p.k = m.k where not m.isolated or m.k <= ${REFERRED[1]}`,
  'analyze licenses',
  `insert into organizations (id, name, plan, status, region, timezone, product, trial_ends_at, created_at)
   select l.organization_id, 'License ' || l.n, 'team', case
       when l.converted_at is not null then case when ${random('l.n', 18)} < 0.8 then 'active' else 'expired' end
       when l.at > l.now - interval '14 days' then 'trial' else 'expired' end,
     'dal', 'UTC', l.product, l.at + interval '14 days', l.at from licenses l order by l.n`,
  `insert into referred_licenses (partner_id, organization_id, program, product, campaign_id, utm_campaign, utm_medium, utm_content, status, ends_at,
     created_at, card_added_at, installed_at, qualified_at, tenth_chat_at, converted_at)
   select l.partner_id, l.organization_id, l.program, l.product, l.campaign_id, c.slug, ${medium('l.n', 19)}, ${content('l.n', 20)}, o.status, o.trial_ends_at,
     l.at, l.converted_at, q.at, q.at, case when ${random('l.n', 21)} < 0.2 then q.at end, l.converted_at
   from licenses l join organizations o on o.id = l.organization_id join campaigns c on c.partner_id = l.partner_id and c.id = l.campaign_id
   cross join lateral (select case when ${random('l.n', 22)} < 0.5 then l.at + interval '1 hour' end as at) q order by l.n`,
];

const PERFORMANCE = `l.partner_id, l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term,
  count(*), count(l.qualified_at), count(l.installed_at), count(l.tenth_chat_at), count(l.converted_at)`;

/** Every payment of a license. */
const paid = `
  seed_parameters w, licenses l, generate_series(1, ceil(w.payments / (w.licenses * ${CONVERTED_SHARE}))::int) i,
  lateral (select l.n * 100 + i as m) o`;
const paidAt = `(l.converted_at + (l.now - l.converted_at) * ${random('m', 31)})::timestamptz(3)`;

/** Every payment yields commissions for the partner that referred the license and for the partner that referred that partner. */
export const POSTINGS = [
  `create temporary table postings as
   select row_number() over (order by x.at, x.name) as n, x.* from (
     select ${paidAt} as at, 'payment ' || m as name, l.partner_id,
       l.program, l.product, l.product as license_product, l.campaign_id, l.organization_id, 20 as percent, 480 + ${pick('m', 32, 4000)} as cents
     from ${paid} where l.converted_at is not null and ${isIncluded('l.k')}
     union all
     select ${paidAt}, 'second ' || m, p.partner_id,
       l.program, 'partner_program', l.product, p.inviting_id, l.organization_id, 5, 120 + ${pick('m', 32, 1000)}
     from ${paid}, parts p where p.k = ${LARGE} and l.converted_at is not null and l.k between ${REFERRED[0]} and ${REFERRED[1]}
   ) x`,
  'create index on postings (n)',
  'analyze postings',
];

/** The transactions from number `$1` to `$2`. */
export const LEDGER_ROWS = [
  `insert into ledger_transactions (partner_id, kind, external_id, program, product, license_product, campaign_id, organization_id, percent, occurred_at, recorded_at)
   select p.partner_id, 'commission', p.name, p.program, p.product, p.license_product, p.campaign_id, p.organization_id, p.percent, p.at, p.at
   from postings p where p.n between $1 and $2 order by p.n`,
  `insert into ledger_entries (partner_id, transaction_id, line, account, amount_cents)
   select t.partner_id, t.id, e.line, e.account, e.sign * p.cents
   from postings p join ledger_transactions t on t.partner_id = p.partner_id and t.external_id = p.name,
     (values (0, 'commission', -1), (1, 'available', 1)) e(line, account, sign)
   where p.n between $1 and $2 order by p.n, e.line`,
];

/** The number of rollups that differ from their sources. */
export const DIFFERENCES = `
select
  (select count(*) from (
    select partner_id, campaign_id, day, clicks from click_days except all
    select partner_id, campaign_id, (clicked_at at time zone 'UTC')::date, count(*) from clicks group by partner_id, campaign_id, 3, utm_medium, utm_content, utm_term) d)
  + (select count(*) from (
    select partner_id, sum(clicks) from click_months group by 1 except all select partner_id, count(*) from clicks group by 1) d)
  + (select count(*) from (
    select partner_id, account, sum(amount_cents) from ledger_totals group by 1, 2 except all
    select partner_id, account, sum(amount_cents) from ledger_entries group by 1, 2) d)
  + (select count(*) from (
    select partner_id, account, sum(amount_cents) from ledger_days group by 1, 2 except all
    select partner_id, account, sum(amount_cents) from ledger_entries group by 1, 2) d)
  + (select count(*) from (
    select partner_id, account, sum(amount_cents) from ledger_licenses group by 1, 2 except all
    select partner_id, account, sum(amount_cents) from ledger_entries group by 1, 2) d)
  + (select count(*) from (
    select * from performance_totals except all
    select ${PERFORMANCE}, coalesce(-sum(s.amount_cents), 0) from referred_licenses l
    left join ledger_licenses s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
    where l.program = 'affiliate' group by 1, 2, 3, 4, 5, 6, 7) d) as differences,
  (select count(*) from clicks) as clicks, (select count(*) from referred_licenses) as licenses, (select count(*) from ledger_entries) as entries`;
