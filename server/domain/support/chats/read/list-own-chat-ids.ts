import { requireAgent, visibleGroups } from '../../../access.ts';
import type { OrganizationScope } from '../../../scope.ts';

/** Chats that an agent sees only because of being in them; empty for agents who see all chats. */
export const listOwnChatIds = async (scope: OrganizationScope): Promise<Set<string>> => {
  const agent = requireAgent(scope.actor);
  if (visibleGroups(agent) === undefined) return new Set();
  const rows = await scope
    .from('chatUsers')
    .where('kind', '=', 'agent')
    .where('userId', '=', agent.id)
    .where('present', '=', true)
    .select('chatId')
    .execute();
  return new Set(rows.map(({ chatId }) => chatId));
};
