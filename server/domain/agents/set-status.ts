import type { AgentStatus } from '#server/storage/tables/agents.ts';
import { requireAdministrator } from '../access.ts';
import { notFound } from '../errors.ts';
import { tellGroupStatuses } from '../groups/statuses.ts';
import type { OrganizationScope } from '../scope.ts';

/** Sets whether an agent takes chats now; it holds until it is set again. Agents set their own, administrators anybody's. */
export const setAgentStatus = async (
  scope: OrganizationScope,
  { login: asked, status }: { login: string; status: AgentStatus },
): Promise<void> => {
  const login = asked.toLowerCase();
  if (scope.actor.kind !== 'agent' || scope.actor.id !== login) requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => {
    const changes = status === 'offline' ? { status, lastLogoutAt: tx.now() } : { status };
    const { numUpdatedRows } = await tellGroupStatuses(tx, () =>
      tx.update('agents').where('id', '=', login).where('deletedAt', 'is', null).set(changes).executeTakeFirstOrThrow(),
    );
    if (numUpdatedRows === 0n) throw notFound('Agent');
    tx.emit({ type: 'agent_status_set', organizationId: tx.organizationId, agentId: login, status });
  });
};
