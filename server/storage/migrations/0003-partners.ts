import type { Migration } from '../migrate.ts';

/**
 * The partner program: referrals, payments, the ledger, resold licenses, the marketplace. Amounts are whole cents.
 */
export const partners: Migration = {
  id: '0003',
  name: 'partners',
  up: `
create table partners (
  id bigint generated always as identity (start with 100001) primary key,
  login text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  contact_name text not null,
  contact_email text not null,
  websites text[] not null default '{}',
  solution_status text not null default 'none',
  properties jsonb not null default '{}',
  send_monthly_summary boolean not null default true,
  send_reseller_weekly_summary boolean not null default true,
  send_newsletter boolean not null default true,
  send_notifications boolean not null default true,
  referred_by bigint references partners (id),
  blocked boolean not null default false,
  created_at timestamptz(3) not null
);
create unique index partners_login on partners (lower(login));

create table partner_tokens (
  partner_id bigint not null references partners (id),
  id bigint generated always as identity,
  label text not null,
  token_hash bytea not null,
  token_sealed bytea not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (partner_id, id)
);
create unique index partner_tokens_hash on partner_tokens (token_hash);
create unique index partner_tokens_label on partner_tokens (partner_id, lower(label)) where revoked_at is null;

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

-- Counted clicks. Visitors are identified by a cookie, or without one by a keyed hash of their IP address and browser.
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
create index clicks_by_time on clicks (partner_id, clicked_at);

-- Clicks that are not counted, and why.
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
create index uncounted_clicks_of_visitor on uncounted_clicks (visitor_id, clicked_at) where reason = 'repeat';

-- A license has at most one partner. status and ends_at are copies of the organization's, updated by follow-license.ts.
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
create index referred_licenses_by_creation on referred_licenses (partner_id, created_at, organization_id)
  include (program, product, campaign_id);
create index referred_licenses_by_conversion on referred_licenses (partner_id, converted_at)
  include (program, product, campaign_id) where converted_at is not null;
create index referred_licenses_by_status on referred_licenses (partner_id, status, created_at, organization_id)
  include (program, product, card_added_at, converted_at);

-- Partners who were referred by other partners.
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

create table payments (
  organization_id uuid not null references organizations (id),
  id bigint generated always as identity,
  external_id text not null,
  source text not null check (source in ('operator', 'subscription')),
  product text not null check (product in ('mainchat', 'chatbot', 'helpdesk')),
  amount_cents bigint not null check (amount_cents >= 0),
  currency text not null,
  plan text,
  billing_cycle text,
  seats int,
  paid_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  -- The commission of each partner for the payment and its rule, or the reason why there is none.
  outcome jsonb not null default '[]',
  primary key (organization_id, id),
  unique (external_id)
);

-- A refund may be reported before its payment. It is applied when the payment arrives.
create table refunds (
  external_id text primary key,
  payment_external_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  kind text not null default 'refund' check (kind in ('refund', 'chargeback')),
  recorded_at timestamptz(3) not null,
  applied_at timestamptz(3)
);
create index refunds_of_payment on refunds (payment_external_id);
create index refunds_waiting on refunds (external_id) where applied_at is null;

-- The most specific rate in effect at the time of a payment is applied.
create table rates (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('commission', 'second_tier', 'discount')),
  program text check (program in ('affiliate', 'solution')),
  product text check (product in ('mainchat', 'chatbot', 'helpdesk')),
  for_partner_id bigint references partners (id),
  for_campaign_id bigint references campaigns (id),
  percent numeric(5, 2) not null check (percent >= 0 and percent <= 100),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  check (for_campaign_id is null or for_partner_id is not null)
);
create index rates_of_partner on rates (for_partner_id);
insert into rates (kind, program, percent, starts_at, created_at) values
  ('commission', 'affiliate', 20, '-infinity', now()),
  ('commission', 'solution', 0, '-infinity', now()),
  ('second_tier', null, 5, '-infinity', now()),
  ('discount', 'solution', 20, '-infinity', now());

create table prices (
  plan text not null check (plan in ('starter', 'team', 'business', 'enterprise')),
  billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
  seat_cents bigint not null check (seat_cents >= 0),
  primary key (plan, billing_cycle)
);
insert into prices (plan, billing_cycle, seat_cents) values
  ('starter', 'monthly', 2400), ('starter', 'annual', 24000),
  ('team', 'monthly', 4900), ('team', 'annual', 49200),
  ('business', 'monthly', 6900), ('business', 'annual', 70800);

create table partner_billing (
  partner_id bigint primary key references partners (id),
  type text not null check (type in ('business', 'individual')),
  company text not null,
  vat text not null default '',
  address text not null,
  city text not null,
  state text not null default '',
  zip_code text not null default '',
  country text not null,
  payout_account text not null,
  updated_at timestamptz(3) not null
);

create table invoice_months (
  month text primary key,
  last_number int not null
);

create table withdrawals (
  partner_id bigint not null references partners (id),
  id bigint generated always as identity,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'pending' check (status in ('pending', 'paid', 'rejected')),
  invoice_id text not null,
  payout_account text not null,
  billing jsonb not null,
  requested_at timestamptz(3) not null,
  acted_at timestamptz(3),
  reason text,
  primary key (partner_id, id),
  unique (id),
  unique (invoice_id)
);
create index withdrawals_by_request on withdrawals (partner_id, requested_at);
create index withdrawals_by_status on withdrawals (status, id);

-- The ledger of each partner. external_id identifies the cause of a transaction, so that nothing is posted twice.
create table ledger_transactions (
  partner_id bigint not null references partners (id),
  id bigint generated always as identity,
  kind text not null check (kind in
    ('commission', 'reversal', 'hold', 'release', 'withdrawal', 'payout', 'rejection', 'discount', 'discount_reversal')),
  external_id text not null,
  program text not null default '',
  product text not null default '',
  license_product text not null default '',
  campaign_id bigint,
  organization_id uuid,
  payment_external_id text,
  withdrawal_id bigint,
  percent numeric(5, 2),
  occurred_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  primary key (partner_id, id),
  unique (partner_id, external_id),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id),
  foreign key (partner_id, withdrawal_id) references withdrawals (partner_id, id)
);
create index ledger_transactions_by_record on ledger_transactions (partner_id, recorded_at);
create index ledger_transactions_of_license on ledger_transactions (partner_id, organization_id) where organization_id is not null;
create index ledger_transactions_by_time on ledger_transactions (partner_id, occurred_at);

create table ledger_entries (
  partner_id bigint not null,
  transaction_id bigint not null,
  line smallint not null,
  account text not null check (account in
    ('commission', 'available', 'held', 'pending', 'withdrawn', 'discount', 'saved')),
  amount_cents bigint not null check (amount_cents <> 0),
  primary key (partner_id, transaction_id, line),
  foreign key (partner_id, transaction_id) references ledger_transactions (partner_id, id)
);

-- A closed month of a partner's ledger. Each hash covers the previous one, so that changes to a single month are detectable.
create table statements (
  partner_id bigint not null references partners (id),
  month date not null,
  content text not null,
  previous_hash bytea not null,
  hash bytea not null,
  created_at timestamptz(3) not null,
  primary key (partner_id, month)
);

create table reseller_licenses (
  partner_id bigint not null,
  organization_id uuid not null,
  client_name text not null,
  client_email text not null,
  purchase_order text not null default '',
  primary key (partner_id, organization_id),
  foreign key (partner_id, organization_id) references referred_licenses (partner_id, organization_id)
);

create table subscriptions (
  partner_id bigint not null,
  organization_id uuid not null,
  -- The account at the payment provider, and a display name of the card.
  account_id text not null,
  card text not null,
  plan text not null,
  billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
  seats int not null check (seats > 0),
  status text not null check (status in ('active', 'past_due', 'closing', 'closed')),
  period_starts_at timestamptz(3) not null,
  period_ends_at timestamptz(3) not null,
  -- The price of a full period under the current terms.
  period_cents bigint not null check (period_cents >= 0),
  period_saved_cents bigint not null check (period_saved_cents >= 0),
  credit_cents bigint not null default 0 check (credit_cents >= 0),
  failed_charges int not null default 0,
  next_charge_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (partner_id, organization_id),
  foreign key (partner_id, organization_id) references reseller_licenses (partner_id, organization_id)
);
create index subscriptions_due on subscriptions (next_charge_at) where next_charge_at is not null;

-- Written before the request to the provider, so that a crash cannot lose or repeat a charge. The id is the idempotency key.
create table charges (
  partner_id bigint not null,
  organization_id uuid not null,
  id uuid not null,
  purpose text not null check (purpose in ('start', 'change', 'renewal')),
  amount_cents bigint not null check (amount_cents >= 0),
  terms jsonb not null,
  status text not null default 'open' check (status in ('open', 'succeeded', 'declined')),
  reason text,
  created_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (partner_id, id),
  foreign key (partner_id, organization_id) references reseller_licenses (partner_id, organization_id)
);
create unique index charges_open on charges (partner_id, organization_id) where status = 'open';
create index charges_left_open on charges (created_at) where status = 'open';

create table invoices (
  organization_id uuid not null references organizations (id),
  invoice_no bigint not null,
  payment_external_id text not null,
  issued_at timestamptz(3) not null,
  plan text not null,
  billing_cycle text not null,
  seats int not null,
  lines jsonb not null,
  amount_cents bigint not null,
  primary key (organization_id, invoice_no),
  unique (invoice_no),
  unique (payment_external_id)
);

-- The sandbox payment provider. It stores no card numbers, only the outcome of charging a card.
create table sandbox_cards (
  token text primary key,
  label text not null,
  behavior text not null,
  account_id text,
  created_at timestamptz(3) not null
);
create index sandbox_cards_of_account on sandbox_cards (account_id) where account_id is not null;

create table sandbox_charges (
  idempotency_key text primary key,
  account_id text not null,
  amount_cents bigint not null,
  declined text,
  charged_at timestamptz(3) not null
);

-- A logo can be uploaded before the profile. Until the profile exists, the status is draft.
create table experts (
  partner_id bigint primary key references partners (id),
  status text not null default 'draft' check (status in ('draft', 'pending', 'approved', 'rejected')),
  logo_key text,
  company text not null default '',
  phone text not null default '',
  description text not null default '',
  short_description text not null default '',
  agents text not null default '',
  hour_rate text not null default '',
  project_rate text not null default '',
  country text not null default '',
  website text not null default '',
  socials text[] not null default '{}',
  categories text[] not null default '{}',
  languages text[] not null default '{}',
  projects text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index experts_by_status on experts (status);

create table expert_comments (
  partner_id bigint not null references experts (partner_id),
  id bigint generated always as identity,
  comment text not null,
  author text not null,
  website text not null default '',
  created_at timestamptz(3) not null,
  primary key (partner_id, id)
);

-- Messages of visitors to an expert. The text is only emailed, not stored.
create table expert_messages (
  partner_id bigint not null references experts (partner_id),
  id bigint generated always as identity,
  sent_at timestamptz(3) not null,
  primary key (partner_id, id)
);

create table expert_months (
  partner_id bigint not null references experts (partner_id),
  month date not null,
  views bigint not null,
  primary key (partner_id, month)
);

-- Viewers within the last hour, so that each is counted once.
create table expert_viewers (
  partner_id bigint not null references experts (partner_id),
  fingerprint bytea not null,
  viewed_at timestamptz(3) not null,
  primary key (partner_id, fingerprint)
);
create index expert_viewers_by_age on expert_viewers (viewed_at);

create table click_batches (
  id uuid primary key,
  stored_at timestamptz(3) not null,
  clicks text not null
);
alter table click_batches alter column clicks set storage external;

create function ledger_sums_to_zero() returns trigger language plpgsql as $$
declare
  number bigint := case when tg_table_name = 'ledger_entries' then (to_jsonb(new)->>'transaction_id')::bigint else (to_jsonb(new)->>'id')::bigint end;
  found record;
begin
  select count(*) as lines, coalesce(sum(e.amount_cents), 0) as total into found
  from ledger_entries e where e.partner_id = new.partner_id and e.transaction_id = number;
  if found.lines < 2 or found.total <> 0 then
    raise exception 'ledger transaction % of partner % has % lines that sum to %', number, new.partner_id, found.lines, found.total
      using errcode = 'check_violation', constraint = 'ledger_sums_to_zero';
  end if;
  return null;
end $$;

create constraint trigger ledger_sums_to_zero after insert on ledger_transactions
  deferrable initially deferred for each row execute function ledger_sums_to_zero();

create constraint trigger ledger_sums_to_zero after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_sums_to_zero();

create function ledger_is_never_changed() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed', tg_table_name using errcode = 'check_violation', constraint = 'ledger_is_never_changed';
end $$;

create trigger ledger_is_never_changed before update or delete or truncate on ledger_transactions
  for each statement execute function ledger_is_never_changed();

create trigger ledger_is_never_changed before update or delete or truncate on ledger_entries
  for each statement execute function ledger_is_never_changed();
`,
};
