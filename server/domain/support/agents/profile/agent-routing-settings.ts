import { requireAdministrator } from '../../../access.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import { invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import { withRerouting } from '../../routing/reroute.ts';
import { lockAgent } from './lock-agent.ts';

const MAX_CONCURRENT_CHATS = 1000;

export const checkMaxChats = (count: number): number => {
  if (!Number.isInteger(count) || count < 0 || count > MAX_CONCURRENT_CHATS)
    throw invalid('maxChatsCount', `must be an integer from 0 to ${MAX_CONCURRENT_CHATS}`);
  return count;
};

/**
 * Sets how many chats an agent can have at a time. An agent above the limit keeps them and gets no more until there is
 * room.
 */
export const setMaxChats = async (
  scope: OrganizationScope,
  { login, maxChatsCount }: { login: string; maxChatsCount: number },
): Promise<void> => {
  requireAdministrator(scope.actor);
  checkMaxChats(maxChatsCount);
  await scope.transaction(async (tx) => {
    const { id } = await lockAgent(tx, login);
    await withRerouting(tx, () => tx.update('agents').where('id', '=', id).set({ maxChatsCount }).execute());
  });
};

/** Replaces the groups of an agent. Every agent stays in group 0, and assigned chats stay assigned. */
export const setAgentGroups = async (
  scope: OrganizationScope,
  { login, groupIds }: { login: string; groupIds: number[] },
): Promise<void> => {
  requireAdministrator(scope.actor);
  const allGroupIds = [...new Set([ALL_AGENTS, ...groupIds])];
  await scope.transaction(async (tx) => {
    const { id: agentId } = await lockAgent(tx, login);
    await assertGroupsExist(tx, allGroupIds);
    await withRerouting(tx, async () => {
      await tx.remove('agentGroups').where('agentId', '=', agentId).where('groupId', 'not in', allGroupIds).execute();
      await tx
        .insert(
          'agentGroups',
          allGroupIds.map((groupId) => ({ agentId, groupId })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
    // Sockets cache which chats the agent may see.
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
