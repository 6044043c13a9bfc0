import type { Migration } from '../migrate.ts';

/** Money: what licenses paid, what partners earned of it, and where that went. Amounts are whole cents. */
export const ledger: Migration = {
  id: '0018',
  name: 'ledger',
  up: `
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
  -- What each partner earned of it, by which rule, or why nothing.
  outcome jsonb not null default '[]',
  primary key (organization_id, id),
  unique (external_id)
);

-- A refund may be told before its payment: it waits until then.
create table refunds (
  external_id text primary key,
  payment_external_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  kind text not null default 'refund' check (kind in ('refund', 'chargeback')),
  recorded_at timestamptz(3) not null,
  applied_at timestamptz(3)
);
create index refunds_of_payment on refunds (payment_external_id);

-- Percents by rule; the most particular that holds at the time decides.
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

-- The book of each partner. A transaction is named by what it stands for, so that nothing is booked twice.
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

-- Sums over the book, written by the insert that they follow.
create table ledger_days (
  partner_id bigint not null,
  day date not null,
  account text not null,
  program text not null,
  product text not null,
  license_product text not null,
  campaign_id bigint not null default 0,
  amount_cents bigint not null,
  primary key (partner_id, account, day, program, product, license_product, campaign_id)
);
create table ledger_licenses (
  partner_id bigint not null,
  organization_id uuid not null,
  account text not null,
  amount_cents bigint not null,
  primary key (partner_id, organization_id, account)
);
create function sum_ledger() returns trigger language plpgsql as $$
begin
  insert into ledger_days (partner_id, day, account, program, product, license_product, campaign_id, amount_cents)
  select e.partner_id, (t.occurred_at at time zone 'UTC')::date, e.account, t.program, t.product, t.license_product, coalesce(t.campaign_id, 0), sum(e.amount_cents)
  from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 3, 2, 4, 5, 6, 7
  on conflict (partner_id, account, day, program, product, license_product, campaign_id)
  do update set amount_cents = ledger_days.amount_cents + excluded.amount_cents;
  insert into ledger_licenses (partner_id, organization_id, account, amount_cents)
  select e.partner_id, t.organization_id, e.account, sum(e.amount_cents)
  from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  where t.organization_id is not null
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (partner_id, organization_id, account)
  do update set amount_cents = ledger_licenses.amount_cents + excluded.amount_cents;
  return null;
end $$;
create trigger sum_ledger after insert on ledger_entries
  referencing new table as written for each statement execute function sum_ledger();

-- A month of a partner's book, closed. Each hash covers the one before, so that no month can be changed alone.
create table statements (
  partner_id bigint not null references partners (id),
  month date not null,
  content text not null,
  previous_hash bytea not null,
  hash bytea not null,
  made_at timestamptz(3) not null,
  primary key (partner_id, month)
);
`,
};
