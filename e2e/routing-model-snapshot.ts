import { executorOf } from '#server/storage/scope.ts';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { Candidate, QueueOutcome } from '#server/storage/tables/routing.ts';
import type { Shop } from './routing-model-fixture.ts';

export interface AgentState {
  id: string;
  kind: 'person' | 'bot';
  status: AgentStatus;
  /** The latest recorded status, by insertion order and by time. */
  recordedStatuses: (AgentStatus | null)[];
  away: boolean;
  /** Whether all live connections are away; null without connections. */
  awayEverywhere: boolean | null;
  limit: number;
  groups: number[];
}

export interface GroupState {
  id: number;
  fallback: number | null;
  botsFirst: boolean;
}

export interface ChatState {
  id: string;
  active: boolean;
  assignee: string | null;
  /** Whether the assignee is in the chat and visible to the customer. */
  isAssigneePresent: boolean;
  groups: number[];
  threadId: string;
  activeThreads: number;
  botAnswered: boolean;
}

export interface QueueEntry {
  id: number;
  chatId: string;
  threadId: string;
  groups: number[];
  priority: number;
  enteredAt: string;
  leftAt: string | null;
  outcome: QueueOutcome | null;
  closedAt: string | null;
  /** The type of the last system message of the thread. */
  lastSystemMessage: string | null;
}

export interface AssignmentState {
  id: number;
  chatId: string;
  threadId: string;
  agentId: string;
  rule: string;
  candidates: Candidate[];
  assignedAt: string;
  endedAt: string | null;
}

export interface Snapshot {
  agents: AgentState[];
  groups: GroupState[];
  chats: ChatState[];
  /** In queue order. */
  queueEntries: QueueEntry[];
  assignments: AssignmentState[];
}

const SNAPSHOT = `
select (
  select json_agg(json_build_object(
    'id', a.id, 'kind', a.kind, 'status', a.status, 'away', a.away, 'limit', a.max_chats_count,
    'recordedStatuses', json_build_array(
      (select s.status from agent_status_changes s where s.organization_id = $1 and s.agent_id = a.id order by s.id desc limit 1),
      (select s.status from agent_status_changes s where s.organization_id = $1 and s.agent_id = a.id order by s.changed_at desc, s.id desc limit 1)),
    'awayEverywhere', (
      select bool_and(c.away) from agent_connections c
      where c.organization_id = $1 and c.agent_id = a.id and c.alive_until > $2),
    'groups', (select json_agg(m.group_id) from agent_groups m where m.organization_id = $1 and m.agent_id = a.id)
  ) order by a.id)
  from agents a where a.organization_id = $1
) as agents, (
  select json_agg(json_build_object('id', g.id, 'fallback', g.fallback_group_id, 'botsFirst', g.bots_first) order by g.id)
  from groups g where g.organization_id = $1
) as groups, (
  select coalesce(json_agg(json_build_object(
    'id', c.id, 'active', c.active, 'assignee', c.assignee_id, 'groups', c.group_ids, 'threadId', c.last_thread_id,
    'isAssigneePresent', exists (
      select from chat_users u
      where u.organization_id = $1 and u.chat_id = c.id and u.user_id = c.assignee_id and u.present and u.visibility = 'all'),
    'activeThreads', (select count(*) from threads t where t.organization_id = $1 and t.chat_id = c.id and t.active),
    'botAnswered', exists (
      select from thread_agents w join agents b on b.organization_id = $1 and b.id = w.agent_id
      where w.organization_id = $1 and w.thread_id = c.last_thread_id and b.kind = 'bot')
  ) order by c.created_at, c.id), '[]')
  from chats c where c.organization_id = $1
) as chats, (
  select coalesce(json_agg(json_build_object(
    'id', q.id, 'chatId', q.chat_id, 'threadId', q.thread_id, 'groups', q.group_ids, 'priority', q.priority,
    'enteredAt', q.entered_at, 'leftAt', q.left_at, 'outcome', q.outcome, 'closedAt', t.closed_at, 'lastSystemMessage', (
      select e.content ->> 'systemMessageType' from events e
      where e.organization_id = $1 and e.thread_id = t.id and e.type = 'system_message' order by e.number desc limit 1)
  ) order by q.priority desc, q.entered_at, q.id), '[]')
  from queue_entries q join threads t on t.organization_id = $1 and t.id = q.thread_id
  where q.organization_id = $1
) as "queueEntries", (
  select coalesce(json_agg(json_build_object(
    'id', a.id, 'chatId', a.chat_id, 'threadId', a.thread_id, 'agentId', a.agent_id, 'rule', a.rule,
    'candidates', a.candidates, 'assignedAt', a.assigned_at, 'endedAt', a.ended_at
  ) order by a.id), '[]')
  from assignments a where a.organization_id = $1
) as assignments`;

/** Reads the whole state in one query, directly from the tables. */
export const takeSnapshot = async ({ scope, organizationId }: Shop): Promise<Snapshot> => {
  const { rows } = await executorOf(scope.db).query<Snapshot & Record<string, unknown>>({
    text: SNAPSHOT,
    values: [organizationId, scope.now()],
  });
  return rows[0]!;
};
