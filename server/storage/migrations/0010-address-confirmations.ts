import type { Migration } from '../migrate.ts';

/** Proof that an email address belongs to the account that names it. */
export const addressConfirmations: Migration = {
  id: '0010',
  name: 'address-confirmations',
  up: `
-- One row per email that asks for confirmation. owner_id: an organization or a partner. id: the keyed hash of the secret
-- in the email. subject_id: the customer or agent; empty for a partner or a support address.
create table address_confirmations (
  owner_id text not null,
  id bytea not null unique,
  kind text not null check (kind in ('customer', 'agent', 'partner', 'support_address')),
  subject_id text not null,
  address text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (owner_id, id)
);
create index address_confirmations_of_address on address_confirmations (lower(address), created_at);
create index address_confirmations_by_time on address_confirmations (owner_id, created_at);
insert into address_confirmations
select organization_id::text, id, 'customer', customer_id::text, email, created_at, expires_at, used_at from email_links;
drop table email_links;

-- Until now only operators created owners and partners of production systems.
alter table agents add column address_confirmed_at timestamptz(3);
update agents set address_confirmed_at = created_at where permission = 'owner';
alter table partners add column address_confirmed_at timestamptz(3);
update partners set address_confirmed_at = created_at;

-- An unconfirmed partner must not keep the owner of the address from joining.
drop index partners_login;
create unique index partners_login on partners (lower(login)) where address_confirmed_at is not null;
create index partners_by_login on partners (lower(login));

-- The support address that waits for confirmation.
alter table organizations add column claimed_mail_address text check (claimed_mail_address = lower(claimed_mail_address));
`,
};
