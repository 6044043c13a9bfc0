import { executorOf } from '#server/storage/scope.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getChatRow } from '../chats/read/find-chat.ts';

export interface AgentForTransfer {
  agentId: string;
  totalActiveChats: number;
}

const AGENTS = `
select a.id as "agentId", count(c.id)::int as "totalActiveChats"
from agents a
left join chats c on c.organization_id = a.organization_id and c.assignee_id = a.id and c.active
where a.organization_id = $1 and a.deleted_at is null and a.status = 'accepting chats' and not a.away
  and a.id is distinct from $2
group by a.organization_id, a.id
having count(c.id) < a.max_chats_count
order by count(c.id), a.id`;

/** Lists agents who accept chats and have room, except the current assignee, least busy first. */
export const listAgentsForTransfer = async (
  scope: OrganizationScope,
  { chatId }: { chatId: string },
): Promise<AgentForTransfer[]> => {
  const chat = await getChatRow(scope, chatId);
  if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
  const values = [scope.organizationId, chat.assigneeId];
  return (await executorOf(scope.db).query<AgentForTransfer>({ text: AGENTS, values })).rows;
};
