import type { OrganizationScope, Transaction } from '../../scope.ts';
import type { AgentUser } from '../chats/records.ts';
import type { PlannedAssignment } from './plan-queue.ts';
import type { QueuedChat } from './routing-snapshot.ts';

/**
 * Ends the previous assignments, writes the new ones, and ends the waits of many chats in one statement. Chats are
 * locked in id order, as in the append lane, so that the two cannot deadlock.
 */
const ASSIGN = `
with item as (
  select t.* from json_to_recordset($2) as t(chat_id text, thread_id text, agent_id text, rule text, candidates jsonb, group_ids int[])
), chat as materialized (
  select c.id from chats c
  where c.organization_id = $1 and c.id in (select chat_id from item)
  order by c.id
  for no key update
), answered as (
  update chats c set assignee_id = i.agent_id from item i, chat l
  where c.organization_id = $1 and c.id = i.chat_id and l.id = c.id
), ended as (
  update assignments a set ended_at = $3::timestamptz from item i
  where a.organization_id = $1 and a.chat_id = i.chat_id and a.ended_at is null
), noted as (
  insert into assignments (organization_id, chat_id, thread_id, agent_id, rule, candidates, group_ids, assigned_at)
  select $1::uuid, chat_id, thread_id, agent_id, rule, candidates, group_ids, $3::timestamptz from item
), joined as (
  insert into chat_users as u (organization_id, chat_id, kind, user_id, present, seen_up_to, joined_at)
  select $1::uuid, chat_id, 'agent', agent_id, true, null, $3::timestamptz from item
  on conflict (organization_id, chat_id, kind, user_id)
  do update set present = true, joined_at = excluded.joined_at, visibility = 'all'
), worked as (
  insert into thread_agents (organization_id, thread_id, agent_id)
  select $1::uuid, thread_id, agent_id from item
  on conflict do nothing
), waited as (
  update queue_entries q set left_at = $3::timestamptz, outcome = 'assigned' from item i
  where q.organization_id = $1 and q.chat_id = i.chat_id and q.left_at is null
)
select i.chat_id as "chatId", a.id, a.name, a.avatar, a.job_title as "jobTitle", u.seen_up_to as "seenUpTo",
  coalesce(u.present and u.visibility = 'all', false) as "wasPresent", exists (
    select from agent_groups m
    where m.organization_id = $1 and m.agent_id = a.id and m.group_id = any(i.group_ids)) as "isInChatGroups"
from item i
join agents a on a.organization_id = $1 and a.id = i.agent_id
left join chat_users u on u.organization_id = $1 and u.chat_id = i.chat_id and u.kind = 'agent' and u.user_id = i.agent_id`;

interface Row {
  chatId: string;
  id: string;
  name: string;
  avatar: string;
  jobTitle: string;
  seenUpTo: Date | null;
  wasPresent: boolean;
  isInChatGroups: boolean;
}

export interface AssignedAgent {
  user: AgentUser;
  wasPresent: boolean;
  /** Whether the agent belongs to one of the chat's groups. */
  isInChatGroups: boolean;
}

/** Requires the organization lock. Returns the assigned agents by chat id. */
export const writeAssignments = async (
  tx: Transaction<OrganizationScope>,
  assignments: PlannedAssignment[],
  now: Date = tx.now(),
): Promise<Map<string, AssignedAgent>> => {
  if (assignments.length === 0) return new Map();
  const items = assignments.map(({ chat, agentId, rule, candidates }) => ({
    chat_id: chat.chatId,
    thread_id: chat.threadId,
    agent_id: agentId,
    rule,
    candidates,
    group_ids: chat.groupIds,
  }));
  const values = [tx.organizationId, JSON.stringify(items), now];
  const { rows } = await tx.executor.query<Row>({ name: 'assign_chats', text: ASSIGN, values });
  return new Map(
    rows.map(({ chatId, seenUpTo, wasPresent, isInChatGroups, ...agent }) => [
      chatId,
      {
        wasPresent,
        isInChatGroups,
        user: { kind: 'agent', ...agent, visibility: 'all', present: true, ...(seenUpTo ? { seenUpTo } : {}) },
      },
    ]),
  );
};

/** Requires the organization lock. */
export const enterQueue = async (tx: Transaction<OrganizationScope>, entering: QueuedChat[]): Promise<void> => {
  if (entering.length === 0) return;
  await tx
    .insert(
      'queueEntries',
      entering.map(({ chatId, threadId, groupIds, priority, enteredAt }) => ({
        ...{ chatId, threadId, groupIds, priority, enteredAt },
        leftAt: null,
        outcome: null,
      })),
    )
    .execute();
};
