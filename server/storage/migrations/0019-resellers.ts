import type { Migration } from '../migrate.ts';

/** Licenses that partners buy for their clients, what is charged for them, and the invoices of all payments. */
export const resellers: Migration = {
  id: '0019',
  name: 'resellers',
  up: `
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
  -- At the payment provider; of the card only what people know it by.
  account_id text not null,
  card text not null,
  plan text not null,
  billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
  seats int not null check (seats > 0),
  status text not null check (status in ('active', 'past_due', 'closing', 'closed')),
  period_starts_at timestamptz(3) not null,
  period_ends_at timestamptz(3) not null,
  -- What a whole period costs by the terms that hold now.
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

-- Written before the provider is asked, so that no crash can lose or double a charge; the id is the key it is asked with.
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

-- The stand-in for a payment provider. It knows no card numbers, only what is to happen when a card is charged.
create table sandbox_cards (
  token text primary key,
  label text not null,
  behaviour text not null,
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
`,
};
