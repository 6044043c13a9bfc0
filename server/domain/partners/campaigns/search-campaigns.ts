import { sql } from 'kysely';
import type { Product } from '#server/storage/tables/products.ts';
import type { CampaignProduct } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';
import { type CampaignRecord, fromCampaigns } from './records.ts';

export interface CampaignFilter {
  field: 'name' | 'product';
  operator: 'equals' | 'contains';
  value: string;
}

export interface CampaignSearch {
  state: 'active' | 'archived';
  /** Any product if absent. No campaign is for `helpdesk`, but the API accepts it as a filter. */
  product?: CampaignProduct | Product | undefined;
  filters: readonly CampaignFilter[];
  order: 'asc' | 'desc';
  page: number;
}

export interface FoundCampaigns {
  campaigns: CampaignRecord[];
  /** The number of campaigns on all pages. */
  total: number;
  /** The earnings of the found campaigns, in cents. */
  earnedCents: number;
}

export const CAMPAIGNS_PER_PAGE = 15;

/** Escapes `%` and `_`. The search ignores case, like the uniqueness of names. */
const patternOf = ({ operator, value }: CampaignFilter): string => {
  const text = value.replaceAll(/[\\%_]/g, '\\$&');
  return operator === 'contains' ? `%${text}%` : text;
};

const conditionOf = ({ state, product, filters }: CampaignSearch) =>
  sql<boolean>`${sql.join(
    [
      state === 'active' ? sql`campaigns.disabled_at is null` : sql`campaigns.disabled_at is not null`,
      ...(product === undefined ? [] : [sql`campaigns.product = ${product}`]),
      ...filters.map((filter) => sql`${sql.ref(`campaigns.${filter.field}`)} ilike ${patternOf(filter)}`),
    ],
    sql` and `,
  )}`;

export const searchCampaigns = async (scope: PartnerScope, search: CampaignSearch): Promise<FoundCampaigns> => {
  requirePartner(scope.actor);
  const condition = conditionOf(search);
  const found = scope.from('campaigns').where(condition);
  const [campaigns, { total }, { cents }] = await Promise.all([
    fromCampaigns(scope)
      .where(condition)
      .orderBy('campaigns.createdAt', search.order)
      .orderBy('campaigns.id', search.order)
      .limit(CAMPAIGNS_PER_PAGE)
      .offset((search.page - 1) * CAMPAIGNS_PER_PAGE)
      .execute(),
    found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    scope
      .from('ledgerDays')
      .where('account', '=', 'commission')
      .where('campaignId', 'in', found.select('campaigns.id'))
      .select(sql<number>`coalesce(-sum(amount_cents), 0)::bigint`.as('cents'))
      .executeTakeFirstOrThrow(),
  ]);
  return { campaigns, total, earnedCents: cents };
};
