import * as contract from '#contracts/agent/routing.ts';
import type { BodyOf } from '#contracts/operation.ts';
import { invalid } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listAgentsForTransfer } from '#server/domain/support/routing/list-agents-for-transfer.ts';
import { type Assignment, listAssignments } from '#server/domain/support/routing/list-assignments.ts';
import type { TransferTarget } from '#server/domain/support/routing/records.ts';
import { transferChat } from '#server/domain/support/routing/transfer-chat.ts';
import { type Action, action } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

type Target = NonNullable<BodyOf<typeof contract.transferChat>['target']>;

const readGroup = (id: string | number): number => {
  if (!/^\d{1,9}$/.test(String(id))) throw invalid('target.ids', 'must be group ids');
  return Number(id);
};

const readTarget = ({ type, ids }: Target): TransferTarget =>
  type === 'agent' ? { type, ids: ids.map(String) } : { type, ids: ids.map(readGroup) };

const presentAssignment = ({ endedAt, candidates, ...one }: Assignment) => ({
  id: one.id,
  thread_id: one.threadId,
  agent_id: one.agentId,
  rule: one.rule,
  group_ids: one.groupIds,
  assigned_at: toTimestamp(one.assignedAt),
  ...(endedAt ? { ended_at: toTimestamp(endedAt) } : {}),
  candidates: candidates.map(({ agentId, open, limit, lastAssignedAt }) => ({
    agent_id: agentId,
    open,
    limit,
    ...(lastAssignedAt ? { last_assigned_at: toTimestamp(new Date(lastAssignedAt)) } : {}),
  })),
});

export const routingActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.transferChat, async ({ body, scope }) => {
    await transferChat(scope, {
      chatId: body.id,
      target: body.target ? readTarget(body.target) : undefined,
      ignoreAgentsAvailability: body.ignore_agents_availability ?? undefined,
      reason: body.reason ?? undefined,
    });
    return {};
  }),
  action<OrganizationScope>()(contract.listAgentsForTransfer, async ({ body, scope }) => {
    const agents = await listAgentsForTransfer(scope, { chatId: body.chat_id });
    return agents.map(({ agentId, totalActiveChats }) => ({ agent_id: agentId, total_active_chats: totalActiveChats }));
  }),
  action<OrganizationScope>()(contract.listAssignments, async ({ body, scope }) => {
    const found = await listAssignments(scope, { chatId: body.chat_id, threadId: body.thread_id ?? undefined });
    return { assignments: found.map(presentAssignment) };
  }),
];
