import type { OrganizationScope } from '../../scope.ts';
import type { Period } from './period.ts';
import { andWhere, readBuckets, within } from './read-buckets.ts';

export interface NotRepliedFilters {
  groupIds?: number[] | undefined;
  agentIds?: string[] | undefined;
  tag?: string | undefined;
}

/** Counts chats without a reply by a person. A chat must have any of the groups and any of the agents. */
export const countNotReplied = async (
  scope: OrganizationScope,
  { buckets }: Period,
  { groupIds, agentIds, tag }: NotRepliedFilters,
): Promise<number[]> => {
  const found = await readBuckets<{ count: number }>(scope, buckets, (values) => ({
    columns: 'count(*)::int as count',
    rows: `select f.started_at as at from chat_facts f
      where f.organization_id = $1 and not f.replied and ${within('f.started_at', buckets, values)}${andWhere(
        groupIds && `f.group_ids && ${values.add(groupIds)}::int[]`,
        tag !== undefined && `f.tags @> array[${values.add(tag)}::text]`,
        agentIds &&
          `exists (select from chat_agent_facts x where x.organization_id = $1 and x.thread_id = f.thread_id
            and x.agent_id = any(${values.add(agentIds)}::text[]))`,
      )}`,
  }));
  return found.map((one) => one?.count ?? 0);
};
