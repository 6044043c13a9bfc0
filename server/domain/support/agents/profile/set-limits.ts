import { requireAdministrator } from '../../../access.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import { invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import { withRerouting } from '../../routing/reroute.ts';
import { holdAgent } from './hold-agent.ts';

const MAX_CONCURRENT_CHATS = 1000;

export const checkMaxChats = (count: number): number => {
  if (!Number.isInteger(count) || count < 0 || count > MAX_CONCURRENT_CHATS)
    throw invalid('max_chats_count', `must be a whole number from 0 to ${MAX_CONCURRENT_CHATS}`);
  return count;
};

/** How many chats an agent answers at once. Whoever has more keeps them, and gets no other until there is room. */
export const setMaxChats = async (
  scope: OrganizationScope,
  { login, maxChatsCount }: { login: string; maxChatsCount: number },
): Promise<void> => {
  requireAdministrator(scope.actor);
  checkMaxChats(maxChatsCount);
  await scope.transaction(async (tx) => {
    const { id } = await holdAgent(tx, login);
    await withRerouting(tx, () => tx.update('agents').where('id', '=', id).set({ maxChatsCount }).execute());
  });
};

/** The groups of an agent, instead of those it had. Everybody is in group 0. Chats that it answers stay with it. */
export const setAgentGroups = async (
  scope: OrganizationScope,
  { login, groupIds }: { login: string; groupIds: number[] },
): Promise<void> => {
  requireAdministrator(scope.actor);
  const wanted = [...new Set([ALL_AGENTS, ...groupIds])];
  await scope.transaction(async (tx) => {
    const { id: agentId } = await holdAgent(tx, login);
    await assertGroupsExist(tx, wanted);
    await withRerouting(tx, async () => {
      await tx.remove('agentGroups').where('agentId', '=', agentId).where('groupId', 'not in', wanted).execute();
      await tx
        .insert(
          'agentGroups',
          wanted.map((groupId) => ({ agentId, groupId })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
    // Which chats it may see is remembered with its sockets.
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
