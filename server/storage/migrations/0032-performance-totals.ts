import type { Migration } from '../migrate.ts';

/** What came of all licenses of a partner is read from a row for each set of marks, and waiting refunds are found among few. */
export const performanceTotals: Migration = {
  id: '0032',
  name: 'performance-totals',
  up: `
-- Of the licenses that a partner brought as an affiliate, whenever they began. Kept by the triggers below.
create table performance_totals (
  partner_id bigint not null,
  product text not null,
  campaign_id bigint not null,
  utm_campaign text not null,
  utm_medium text not null,
  utm_content text not null,
  utm_term text not null,
  trials bigint not null,
  qualified bigint not null,
  installed bigint not null,
  tenth_chat bigint not null,
  paid bigint not null,
  earned_cents bigint not null,
  primary key (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term)
) with (fillfactor = 80);

-- sign: 1 adds the licenses with what they earned, -1 takes them away. Always in the same order, so that nobody waits in a ring.
create function add_performance(sign int, licenses referred_licenses[]) returns void language sql as $$
  insert into performance_totals as t
  select l.partner_id, l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term,
    sign * count(*), sign * count(l.qualified_at), sign * count(l.installed_at), sign * count(l.tenth_chat_at), sign * count(l.converted_at),
    sign * coalesce(-sum(s.amount_cents), 0)
  from unnest(licenses) l
  left join ledger_licenses s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
  where l.program = 'affiliate'
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term) do update set
    trials = t.trials + excluded.trials, qualified = t.qualified + excluded.qualified, installed = t.installed + excluded.installed,
    tenth_chat = t.tenth_chat + excluded.tenth_chat, paid = t.paid + excluded.paid, earned_cents = t.earned_cents + excluded.earned_cents
$$;

create function add_licenses() returns trigger language plpgsql as $$
begin
  perform add_performance(1, array(select row(a.*)::referred_licenses from added a));
  return null;
end $$;
create trigger licenses_added after insert on referred_licenses
  referencing new table as added for each statement execute function add_licenses();

create function remove_licenses() returns trigger language plpgsql as $$
begin
  perform add_performance(-1, array(select row(r.*)::referred_licenses from removed r));
  return null;
end $$;
create trigger licenses_removed after delete on referred_licenses
  referencing old table as removed for each statement execute function remove_licenses();

-- Only those that count elsewhere or as something else since.
create function move_licenses() returns trigger language plpgsql as $$
declare
  moved uuid[] := array(
    select coalesce(b.organization_id, a.organization_id) from before b full join after a on a.organization_id = b.organization_id
    where (b.partner_id, b.program, b.product, b.campaign_id, b.utm_campaign, b.utm_medium, b.utm_content, b.utm_term,
        b.qualified_at is null, b.installed_at is null, b.tenth_chat_at is null, b.converted_at is null)
      is distinct from (a.partner_id, a.program, a.product, a.campaign_id, a.utm_campaign, a.utm_medium, a.utm_content, a.utm_term,
        a.qualified_at is null, a.installed_at is null, a.tenth_chat_at is null, a.converted_at is null));
begin
  if cardinality(moved) > 0 then
    perform add_performance(-1, array(select row(b.*)::referred_licenses from before b where b.organization_id = any(moved)));
    perform add_performance(1, array(select row(a.*)::referred_licenses from after a where a.organization_id = any(moved)));
  end if;
  return null;
end $$;
create trigger licenses_moved after update on referred_licenses
  referencing old table as before new table as after for each statement execute function move_licenses();

-- The licenses are held first, as by whoever changes them.
create function add_earned() returns trigger language plpgsql as $$
begin
  with earned as materialized (
    select e.partner_id, t.organization_id, -sum(e.amount_cents) as cents
    from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
    where e.account = 'commission' and t.organization_id is not null group by 1, 2
  ), held as materialized (
    select l.*, d.cents from earned d
    join referred_licenses l on l.partner_id = d.partner_id and l.organization_id = d.organization_id
    where l.program = 'affiliate' order by l.partner_id, l.organization_id for no key update of l
  )
  insert into performance_totals as t
  select l.partner_id, l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term, 0, 0, 0, 0, 0, sum(l.cents)
  from held l group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term)
  do update set earned_cents = t.earned_cents + excluded.earned_cents;
  return null;
end $$;
create trigger add_earned after insert on ledger_entries
  referencing new table as written for each statement execute function add_earned();

insert into performance_totals
select l.partner_id, l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term,
  count(*), count(l.qualified_at), count(l.installed_at), count(l.tenth_chat_at), count(l.converted_at), coalesce(-sum(s.amount_cents), 0)
from referred_licenses l
left join ledger_licenses s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
where l.program = 'affiliate' group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3;

create index refunds_waiting on refunds (external_id) where applied_at is null;
`,
};
