import type { Selectable } from 'kysely';
import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { ExpertStatus, ExpertsTable } from './tables/experts.ts';

/** Marketplace and operator queries over all experts. */

export interface MarketplaceRow {
  partnerId: number;
  company: string;
  shortDescription: string;
  country: string;
  categories: string[];
  logoKey: string;
  comments: number;
  views: number;
}

/** All published experts with their ranking criteria. */
export const readMarketplace = async (executor: Executor, since: string): Promise<MarketplaceRow[]> => {
  const { rows } = await executor.query<MarketplaceRow>({
    name: 'read_marketplace',
    text: `${PLATFORM_MARK}
      select e.partner_id as "partnerId", e.company, e.short_description as "shortDescription", e.country, e.categories,
        e.logo_key as "logoKey",
        (select count(*) from expert_comments c where c.partner_id = e.partner_id) as comments,
        (select coalesce(sum(m.views), 0)::bigint from expert_months m where m.partner_id = e.partner_id and m.month >= $1) as views
      from experts e join partners p on p.id = e.partner_id
      where e.status = 'approved' and not p.blocked`,
    values: [since],
  });
  return rows;
};

export const listExpertsByStatus = async (
  executor: Executor,
  { status, after, limit }: { status?: ExpertStatus | undefined; after: number; limit: number },
): Promise<Selectable<ExpertsTable>[]> => {
  const { rows } = await executor.query<Selectable<ExpertsTable>>({
    name: status === undefined ? 'list_experts' : 'list_experts_by_status',
    text: `${PLATFORM_MARK}
      select e.partner_id as "partnerId", e.status, e.logo_key as "logoKey", e.company, e.phone, e.description,
        e.short_description as "shortDescription", e.agents, e.hour_rate as "hourRate", e.project_rate as "projectRate",
        e.country, e.website, e.socials, e.categories, e.languages, e.projects, e.created_at as "createdAt", e.updated_at as "updatedAt"
      from experts e where e.partner_id > $1 and ${status === undefined ? "e.status <> 'draft'" : 'e.status = $3'}
      order by e.partner_id limit $2`,
    values: status === undefined ? [after, limit] : [after, limit, status],
  });
  return rows;
};

/** Removes view records that no longer affect the view counts. */
export const removeOldViewers = async (executor: Executor, until: Date): Promise<void> => {
  await executor.query({
    name: 'remove_old_viewers',
    text: `${PLATFORM_MARK} delete from expert_viewers v where v.viewed_at <= $1`,
    values: [until],
  });
};
