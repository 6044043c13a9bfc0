import { executorOf } from '#server/storage/scope.ts';
import type { AgentKind } from '#server/storage/tables/routing.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';

/** An agent who accepts chats now. */
export interface RoutableAgent {
  id: string;
  kind: AgentKind;
  limit: number;
  open: number;
  lastAssignedAt?: string;
  groupIds: number[];
}

export interface RoutableGroup {
  id: number;
  fallback?: number;
  botsFirst: boolean;
}

export interface QueuedChat {
  /** Absent for a chat that is about to enter the queue and has no row yet. */
  queueEntryId?: number;
  chatId: string;
  threadId: string;
  customerId: string;
  groupIds: number[];
  priority: number;
  enteredAt: Date;
  /** A bot has already answered in this thread, so it goes to people. */
  botAnswered: boolean;
  /** The agent from whom the chat was just taken, and who must not get it back in the same step. */
  excludedAgentId?: string;
}

/**
 * Everything a routing decision depends on: agents who accept chats and their load, the groups, and the queue in order.
 */
export interface RoutingSnapshot {
  agents: RoutableAgent[];
  groups: RoutableGroup[];
  waiting: QueuedChat[];
}

/** Uses lateral subqueries: with plain joins, a plan made before statistics exist reads all chats for each agent. */
const SNAPSHOT = `
select (
  select coalesce(json_agg(json_build_object(
    'id', a.id, 'kind', a.kind, 'limit', a.max_chats_count, 'open', load.open, 'lastAssignedAt', latest.assigned_at,
    'groupIds', (
      select coalesce(json_agg(m.group_id), '[]') from agent_groups m
      where m.organization_id = a.organization_id and m.agent_id = a.id)
  ) order by a.id), '[]')
  from agents a
  cross join lateral (
    select count(*)::int as open from chats c
    where c.organization_id = a.organization_id and c.assignee_id = a.id and c.active
  ) load
  left join lateral (
    select s.assigned_at from assignments s
    where s.organization_id = a.organization_id and s.agent_id = a.id
    order by s.assigned_at desc limit 1
  ) latest on true
  where a.organization_id = $1 and a.deleted_at is null and a.status = 'accepting chats' and not a.away
) as agents, (
  select coalesce(json_agg(json_build_object('id', g.id, 'fallback', g.fallback_group_id, 'botsFirst', g.bots_first) order by g.id), '[]')
  from groups g where g.organization_id = $1 and g.deleted_at is null
) as groups, (
  select coalesce(json_agg(json_build_object(
    'queueEntryId', q.id, 'chatId', q.chat_id, 'threadId', q.thread_id, 'customerId', w.customer_id, 'groupIds', q.group_ids,
    'priority', q.priority, 'enteredAt', q.entered_at, 'botAnswered', exists (
      select from thread_agents t
      where t.organization_id = q.organization_id and t.thread_id = q.thread_id and (
        select b.kind from agents b where b.organization_id = t.organization_id and b.id = t.agent_id) = 'bot')
  ) order by q.priority desc, q.entered_at, q.id), '[]')
  from queue_entries q
  cross join lateral (
    select c.customer_id from chats c where c.organization_id = q.organization_id and c.id = q.chat_id limit 1
  ) w
  where q.organization_id = $1 and q.left_at is null and $2
) as waiting`;

type Nullable<T> = { [K in keyof T]: T[K] | null };

interface Row {
  agents: (Omit<RoutableAgent, 'lastAssignedAt'> & Nullable<Pick<Required<RoutableAgent>, 'lastAssignedAt'>>)[];
  groups: (Omit<RoutableGroup, 'fallback'> & Nullable<Pick<Required<RoutableGroup>, 'fallback'>>)[];
  waiting: (Omit<QueuedChat, 'enteredAt'> & { enteredAt: string })[];
}

/** Reads the snapshot without a lock: good for display, but not for decisions. */
export const loadRoutingSnapshot = async (
  scope: OrganizationScope,
  { queue = true } = {},
): Promise<RoutingSnapshot> => {
  const values = [scope.organizationId, queue];
  const [row] = (await executorOf(scope.db).query<Row>({ text: SNAPSHOT, values })).rows;
  return {
    agents: row!.agents.map(({ lastAssignedAt, ...agent }) => ({
      ...agent,
      ...(lastAssignedAt === null ? {} : { lastAssignedAt: new Date(lastAssignedAt).toISOString() }),
    })),
    groups: row!.groups.map(({ fallback, ...group }) => ({ ...group, ...(fallback === null ? {} : { fallback }) })),
    waiting: row!.waiting.map((one) => ({ ...one, enteredAt: new Date(one.enteredAt) })),
  };
};

/** Takes the organization lock first, so that the snapshot stays true until the transaction ends. */
export const loadRoutingSnapshotForUpdate = async (tx: Transaction<OrganizationScope>): Promise<RoutingSnapshot> => {
  await lockOrganization(tx);
  return loadRoutingSnapshot(tx);
};

/** A copy of the snapshot in which the agent's number of open chats is changed. */
export const withLoad = (snapshot: RoutingSnapshot, agentId: string | null, change: number): RoutingSnapshot => ({
  ...snapshot,
  agents: snapshot.agents.map((one) => (one.id === agentId ? { ...one, open: one.open + change } : one)),
});

const NEWEST = Number.MAX_SAFE_INTEGER;

const compareQueueOrder = (one: QueuedChat, other: QueuedChat): number =>
  other.priority - one.priority ||
  one.enteredAt.getTime() - other.enteredAt.getTime() ||
  (one.queueEntryId ?? NEWEST) - (other.queueEntryId ?? NEWEST);

/** A copy of the snapshot with more chats in the queue. Chats that enter together keep their order. */
export const withQueued = (snapshot: RoutingSnapshot, more: QueuedChat[]): RoutingSnapshot => ({
  ...snapshot,
  waiting: [...snapshot.waiting, ...more].sort(compareQueueOrder),
});

export const withoutQueued = (snapshot: RoutingSnapshot, chatIds: string[]): RoutingSnapshot => ({
  ...snapshot,
  waiting: snapshot.waiting.filter(({ chatId }) => !chatIds.includes(chatId)),
});
