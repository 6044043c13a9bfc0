import { tellGroupStatuses } from '../groups/statuses.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import { findNextAgent } from './next-agent.ts';
import { takeTurn } from './take-turn.ts';

interface Assignment {
  chatId: string;
  threadId: string;
  groupIds: number[];
}

const assign = async (
  tx: Transaction<OrganizationScope>,
  { chatId, threadId }: Assignment,
  agentId: string,
): Promise<void> => {
  await tx
    .insert('chatUsers', { chatId, kind: 'agent', userId: agentId, present: true, seenUpTo: null, joinedAt: tx.now() })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'chatId', 'kind', 'userId'])
        .doUpdateSet({ present: true, joinedAt: tx.now() }),
    )
    .execute();
  await tx
    .insert('threadAgents', { threadId, agentId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Gives a new thread to an agent with room, if there is one; otherwise it waits unassigned. */
export const assignChat = async (
  tx: Transaction<OrganizationScope>,
  assignment: Assignment,
): Promise<string | undefined> => {
  await takeTurn(tx);
  const agent = await findNextAgent(tx, assignment.groupIds);
  if (!agent || agent.room === 0) return undefined;
  const takes = () => assign(tx, assignment, agent.id);
  // Only an agent's last place can change what a group's status is.
  await (agent.room === 1 ? tellGroupStatuses(tx, takes) : takes());
  return agent.id;
};
