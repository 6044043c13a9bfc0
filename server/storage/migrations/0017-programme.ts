import type { Migration } from '../migrate.ts';

/** How licenses and partners are brought: campaigns, the clicks on their links, and what came of them. */
export const programme: Migration = {
  id: '0017',
  name: 'programme',
  up: `
alter table organizations add column product text not null default 'mainchat'
  check (product in ('mainchat', 'chatbot', 'helpdesk'));
alter table organizations add column paid_until timestamptz(3);

create table coupons (
  partner_id bigint not null references partners (id),
  id bigint generated always as identity,
  label text not null,
  percent_off numeric(5, 2) check (percent_off > 0 and percent_off <= 100),
  amount_off_cents bigint check (amount_off_cents > 0),
  active boolean not null default true,
  created_at timestamptz(3) not null,
  primary key (partner_id, id),
  check ((percent_off is null) <> (amount_off_cents is null))
);

create table campaigns (
  partner_id bigint not null references partners (id),
  id bigint generated always as identity,
  product text not null check (product in ('mainchat', 'chatbot', 'partner_program')),
  name text not null,
  slug text not null,
  code text not null,
  landing_url text,
  trial_days int not null default 14 check (trial_days between 14 and 60),
  coupon_id bigint,
  is_default boolean not null default false,
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  primary key (partner_id, id),
  unique (id),
  unique (code),
  unique (partner_id, slug),
  foreign key (partner_id, coupon_id) references coupons (partner_id, id)
);
create unique index campaigns_name on campaigns (partner_id, lower(name)) where disabled_at is null;
create unique index campaigns_default on campaigns (partner_id, product) where is_default;

insert into campaigns (partner_id, product, name, slug, code, is_default, created_at)
select p.id, d.product, d.name, d.slug, substr(replace(gen_random_uuid()::text, '-', ''), 1, 10), true, p.created_at
from partners p, (values
  ('mainchat', 'Main chat', 'pp_main-chat'),
  ('chatbot', 'Chatbot', 'pp_chatbot'),
  ('partner_program', 'Partner programme', 'pp_partner-programme')) as d (product, name, slug);

-- Those that count. Who clicked is known by a cookie, and without one by a keyed hash of its address and browser.
create table clicks (
  partner_id bigint not null,
  id uuid not null,
  campaign_id bigint not null,
  visitor_id uuid not null,
  fingerprint bytea not null,
  clicked_at timestamptz(3) not null,
  user_agent text,
  referrer text,
  utm_medium text not null default '',
  utm_content text not null default '',
  utm_term text not null default '',
  primary key (partner_id, id),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);
create index clicks_of_visitor on clicks (visitor_id, clicked_at);
create index clicks_of_fingerprint on clicks (campaign_id, fingerprint, clicked_at);

-- Those that do not, and why.
create table uncounted_clicks (
  partner_id bigint not null,
  id uuid not null,
  campaign_id bigint not null,
  reason text not null check (reason in ('head', 'prefetch', 'bot', 'repeat', 'campaign_disabled', 'partner_blocked')),
  visitor_id uuid not null,
  fingerprint bytea not null,
  clicked_at timestamptz(3) not null,
  user_agent text,
  referrer text,
  primary key (partner_id, id),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);
create index uncounted_clicks_of_campaign on uncounted_clicks (partner_id, campaign_id, clicked_at);

-- Written with the clicks, so that counting them does not read them.
create table click_days (
  partner_id bigint not null,
  day date not null,
  campaign_id bigint not null,
  utm_medium text not null,
  utm_content text not null,
  utm_term text not null,
  clicks bigint not null,
  primary key (partner_id, day, campaign_id, utm_medium, utm_content, utm_term),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);

-- A license has one partner at most. Status and end repeat the organization's, kept by the trigger below.
create table referred_licenses (
  partner_id bigint not null references partners (id),
  organization_id uuid not null references organizations (id),
  program text not null check (program in ('affiliate', 'solution')),
  product text not null check (product in ('mainchat', 'chatbot', 'helpdesk')),
  campaign_id bigint,
  click_id uuid,
  utm_campaign text not null default '',
  utm_medium text not null default '',
  utm_content text not null default '',
  utm_term text not null default '',
  utm_source text not null default '',
  coupon_id bigint,
  status text not null check (status in ('trial', 'active', 'expired', 'blocked')),
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  card_added_at timestamptz(3),
  installed_at timestamptz(3),
  qualified_at timestamptz(3),
  tenth_chat_at timestamptz(3),
  converted_at timestamptz(3),
  primary key (partner_id, organization_id),
  unique (organization_id),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id),
  foreign key (partner_id, coupon_id) references coupons (partner_id, id)
);
create index referred_licenses_by_creation on referred_licenses (partner_id, created_at, organization_id);
create index referred_licenses_by_conversion on referred_licenses (partner_id, converted_at) where converted_at is not null;
create index referred_licenses_by_status on referred_licenses (partner_id, status, created_at, organization_id);

create function follow_license() returns trigger language plpgsql as $$
begin
  update referred_licenses r
  set status = new.status, ends_at = case when new.status = 'trial' then new.trial_ends_at else coalesce(new.paid_until, new.trial_ends_at) end
  where r.organization_id = new.id;
  return null;
end $$;
create trigger follow_license after update of status, trial_ends_at, paid_until on organizations
  for each row execute function follow_license();

-- Whom a partner brought into the programme.
create table referred_partners (
  partner_id bigint not null references partners (id),
  referred_id bigint not null references partners (id),
  campaign_id bigint,
  click_id uuid,
  utm_campaign text not null default '',
  utm_medium text not null default '',
  utm_content text not null default '',
  utm_term text not null default '',
  created_at timestamptz(3) not null,
  primary key (partner_id, referred_id),
  unique (referred_id),
  check (partner_id <> referred_id),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);
insert into referred_partners (partner_id, referred_id, created_at)
select p.referred_by, p.id, p.created_at from partners p where p.referred_by is not null;
`,
};
