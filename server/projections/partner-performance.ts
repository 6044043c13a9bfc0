import type { Executor } from '#server/storage/executor.ts';
import { compareWithRebuild, rowsOf } from './maintain.ts';
import type { Projection } from './projection.ts';

const GROUP = 'l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term';

/** Counts the licenses that meet the condition, by product, campaign and UTM values. */
export const countPerformance = (condition: string): string => `
insert into performance_totals as t (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term,
  trials, qualified, installed, tenth_chat, paid, earned_cents)
select l.partner_id, ${GROUP}, count(*), count(l.qualified_at), count(l.installed_at), count(l.tenth_chat_at),
  count(l.converted_at), coalesce(-sum(s.amount_cents), 0)
from referred_licenses l
left join ledger_licenses s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
where l.program = 'affiliate' and ${condition}
group by l.partner_id, ${GROUP}
on conflict (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term) do update set
  trials = excluded.trials, qualified = excluded.qualified, installed = excluded.installed,
  tenth_chat = excluded.tenth_chat, paid = excluded.paid, earned_cents = excluded.earned_cents`;

const APPLY = countPerformance(`l.partner_id = $1 and (${GROUP}) in (
  select ${GROUP} from referred_licenses l where l.partner_id = $1 and l.organization_id = any($2::uuid[]))`);

const rebuild = async (tx: Executor, partnerId: string): Promise<void> => {
  await tx.query({ text: 'delete from performance_totals t where t.partner_id = $1', values: [partnerId] });
  await tx.query({ text: countPerformance('l.partner_id = $1'), values: [partnerId] });
};

/**
 * The number of licenses that an affiliate referred, their milestones and commissions, by product, campaign and UTM values.
 *
 * Sources: `referred_licenses` and `ledger_licenses`. Keys: the organization ids of the licenses. Enqueued where a license is
 * referred, reaches a milestone or converts, and where commission is posted. The product, the campaign and the UTM values of a
 * referred license never change, and no referral is removed.
 */
export const partnerPerformance: Projection & { name: 'partner_performance' } = {
  name: 'partner_performance',
  owner: 'partner',
  tables: ['performance_totals'],
  batchSize: 500,
  apply: async (tx, partnerId, organizationIds) => {
    await tx.query({ text: APPLY, values: [partnerId, organizationIds] });
  },
  rebuild,
  check: (tx, partnerId) =>
    compareWithRebuild(
      tx,
      partnerId,
      [
        rowsOf({
          table: 'performance_totals',
          owner: 'partner_id',
          key: "concat_ws(' ', r.product, r.campaign_id, r.utm_campaign)",
        }),
      ],
      rebuild,
    ),
};
