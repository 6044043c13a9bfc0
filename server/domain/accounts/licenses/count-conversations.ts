import type { Executor } from '#server/storage/executor.ts';

const COUNT = `
select r.organization_id as "organizationId", sum(r.chats)::int as chats from chat_rollups r
where r.organization_id = any($1) and r.dimension = '' and r.resolution = 'd'
group by r.organization_id`;

/** The number of ended chats of each organization, as in its reports. Organizations without any are absent. */
export const countConversations = async (
  executor: Executor,
  organizationIds: string[],
): Promise<Map<string, number>> => {
  if (organizationIds.length === 0) return new Map();
  const { rows } = await executor.query<{ organizationId: string; chats: number }>({
    name: 'count_conversations',
    text: COUNT,
    values: [organizationIds],
  });
  return new Map(rows.map(({ organizationId, chats }) => [organizationId, chats]));
};
