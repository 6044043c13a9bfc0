import { sql } from 'kysely';
import type { Sale } from '#server/storage/tables/goals.ts';
import { requireAgent, visibleGroups } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { findVisitor } from './find-visitor.ts';

const MAX_THREADS = 50;
const MAX_VISITS = 20;
const MAX_PAGES = 50;
const MAX_GOALS = 100;

export interface CustomerHistory {
  /** Threads of chats that the agent may see. */
  threads: {
    chatId: string;
    threadId: string;
    active: boolean;
    groupIds: number[];
    agentIds: string[];
    tags: string[];
    createdAt: Date;
    closedAt: Date | null;
  }[];
  visits: {
    startedAt: Date;
    endedAt: Date | null;
    referrer: string | null;
    pageCount: number;
    pages: { url: string; title: string | null; openedAt: Date }[];
  }[];
  goals: { goalId: number; name: string; threadId: string | null; sale: Sale | null; reachedAt: Date }[];
}

const listThreads = (scope: OrganizationScope, customerId: string): Promise<CustomerHistory['threads']> => {
  const agent = requireAgent(scope.actor);
  const groups = visibleGroups(agent);
  const own = scope
    .from('threads')
    .innerJoin('chats', (join) =>
      join.onRef('chats.organizationId', '=', 'threads.organizationId').onRef('chats.id', '=', 'threads.chatId'),
    )
    .where('chats.customerId', '=', customerId)
    .where('chats.anonymized', '=', false);
  const visible = groups
    ? own.where(sql<boolean>`(chats.group_ids && ${groups}::int[] or exists (
        select from chat_users u
        where u.organization_id = chats.organization_id and u.chat_id = chats.id
          and u.kind = 'agent' and u.user_id = ${agent.id} and u.present))`)
    : own;
  return visible
    .orderBy('threads.createdAt', 'desc')
    .orderBy('threads.id', 'desc')
    .limit(MAX_THREADS)
    .select(['threads.chatId', 'threads.id as threadId', 'threads.active', 'threads.groupIds', 'threads.tags'])
    .select(['threads.createdAt', 'threads.closedAt'])
    .select(
      sql<string[]>`array(
        select a.agent_id from thread_agents a
        where a.organization_id = threads.organization_id and a.thread_id = threads.id order by a.agent_id)`.as(
        'agentIds',
      ),
    )
    .execute();
};

const lastVisits = (scope: OrganizationScope, customerId: string, limit: number) =>
  scope.from('visits').where('customerId', '=', customerId).orderBy('number', 'desc').limit(limit);

const listVisits = async (scope: OrganizationScope, customerId: string): Promise<CustomerHistory['visits']> => {
  const visits = await lastVisits(scope, customerId, MAX_VISITS)
    .select(['id', 'startedAt', 'endedAt', 'referrer', 'pageCount'])
    .execute();
  if (visits.length === 0) return [];
  const ids = visits.map(({ id }) => id);
  const pages = await scope
    .from('visitPages')
    .where('visitId', 'in', ids)
    .where(
      sql<boolean>`visit_pages.number > (
        select v.page_count from visits v
        where v.organization_id = visit_pages.organization_id and v.id = visit_pages.visit_id) - ${MAX_PAGES}`,
    )
    .orderBy('number')
    .select(['visitId', 'url', 'title', 'openedAt'])
    .execute();
  const byVisit = Map.groupBy(pages, ({ visitId }) => visitId);
  return visits.map(({ id, ...visit }) => ({
    ...visit,
    pages: (byVisit.get(id) ?? []).map(({ url, title, openedAt }) => ({ url, title, openedAt })),
  }));
};

const listGoals = (scope: OrganizationScope, customerId: string): Promise<CustomerHistory['goals']> =>
  scope
    .from('goalHits')
    .innerJoin('goals', (join) =>
      join.onRef('goals.organizationId', '=', 'goalHits.organizationId').onRef('goals.id', '=', 'goalHits.goalId'),
    )
    .where('goalHits.visitId', 'in', lastVisits(scope, customerId, MAX_GOALS).select('id'))
    .orderBy('reachedAt', 'desc')
    .limit(MAX_GOALS)
    .select(['goalId', 'goals.name', 'threadId', 'sale', 'reachedAt'])
    .execute();

/** Returns the customer's chats, visits and goals, each latest first. */
export const getCustomerHistory = async (
  scope: OrganizationScope,
  { customerId: visitorId }: { customerId: string },
): Promise<CustomerHistory> => {
  requireAgent(scope.actor);
  const customerId = await findVisitor(scope, visitorId);
  const [threads, visits, goals] = await Promise.all([
    listThreads(scope, customerId),
    listVisits(scope, customerId),
    listGoals(scope, customerId),
  ]);
  return { threads, visits, goals };
};
