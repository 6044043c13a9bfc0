import type { Migration } from '../migrate.ts';

/** What a partner asks for over all time is read from few rows, and licenses are counted without looking at them. */
export const programmeSums: Migration = {
  id: '0027',
  name: 'programme-sums',
  up: `
create table click_months (
  partner_id bigint not null,
  month date not null,
  campaign_id bigint not null,
  utm_medium text not null,
  utm_content text not null,
  utm_term text not null,
  clicks bigint not null,
  primary key (partner_id, month, campaign_id, utm_medium, utm_content, utm_term),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);
insert into click_months (partner_id, month, campaign_id, utm_medium, utm_content, utm_term, clicks)
select partner_id, date_trunc('month', day::timestamp)::date, campaign_id, utm_medium, utm_content, utm_term, sum(clicks)
from click_days group by 1, 2, 3, 4, 5, 6;

create table ledger_totals (
  partner_id bigint not null,
  account text not null,
  program text not null,
  product text not null,
  amount_cents bigint not null,
  primary key (partner_id, account, program, product)
);
insert into ledger_totals (partner_id, account, program, product, amount_cents)
select partner_id, account, program, product, sum(amount_cents) from ledger_days group by 1, 2, 3, 4;

create function total_ledger() returns trigger language plpgsql as $$
begin
  insert into ledger_totals (partner_id, account, program, product, amount_cents)
  select e.partner_id, e.account, t.program, t.product, sum(e.amount_cents)
  from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (partner_id, account, program, product)
  do update set amount_cents = ledger_totals.amount_cents + excluded.amount_cents;
  return null;
end $$;
create trigger total_ledger after insert on ledger_entries
  referencing new table as written for each statement execute function total_ledger();

drop index referred_licenses_by_creation;
create index referred_licenses_by_creation on referred_licenses (partner_id, created_at, organization_id)
  include (program, product, campaign_id);
drop index referred_licenses_by_conversion;
create index referred_licenses_by_conversion on referred_licenses (partner_id, converted_at)
  include (program, product, campaign_id) where converted_at is not null;
drop index referred_licenses_by_status;
create index referred_licenses_by_status on referred_licenses (partner_id, status, created_at, organization_id)
  include (program, product, card_added_at, converted_at);
`,
};
