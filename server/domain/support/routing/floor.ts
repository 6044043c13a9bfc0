import { executorOf } from '#server/storage/scope.ts';
import type { AgentKind } from '#server/storage/tables/routing.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';

/** An agent who takes chats now. */
export interface FloorAgent {
  id: string;
  kind: AgentKind;
  limit: number;
  open: number;
  lastAssignedAt?: string;
  groupIds: number[];
}

export interface FloorGroup {
  id: number;
  fallback?: number;
  botsFirst: boolean;
}

/** A chat that waits for an agent. */
export interface Waiting {
  /** Absent while it is only about to enter the queue. */
  stayId?: number;
  chatId: string;
  threadId: string;
  customerId: string;
  groupIds: number[];
  priority: number;
  enteredAt: Date;
  /** A bot has answered in this thread, so people are next. */
  botDone: boolean;
  /** Whom it was just taken from, and who does not get it back by the same step. */
  notBy?: string;
}

/** All that routing looks at: who takes chats and how busy they are, the groups, and who waits, in their order. */
export interface Floor {
  agents: FloorAgent[];
  groups: FloorGroup[];
  waiting: Waiting[];
}

/** Each looks for its own rows. Joined, a plan made before there are statistics would read all chats for each of them. */
const FLOOR = `
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
    'stayId', q.id, 'chatId', q.chat_id, 'threadId', q.thread_id, 'customerId', w.customer_id, 'groupIds', q.group_ids,
    'priority', q.priority, 'enteredAt', q.entered_at, 'botDone', exists (
      select from thread_agents t
      where t.organization_id = q.organization_id and t.thread_id = q.thread_id and (
        select b.kind from agents b where b.organization_id = t.organization_id and b.id = t.agent_id) = 'bot')
  ) order by q.priority desc, q.entered_at, q.id), '[]')
  from queue_stays q
  cross join lateral (
    select c.customer_id from chats c where c.organization_id = q.organization_id and c.id = q.chat_id limit 1
  ) w
  where q.organization_id = $1 and q.left_at is null and $2
) as waiting`;

type Absent<T> = { [K in keyof T]: T[K] | null };

interface Row {
  agents: (Omit<FloorAgent, 'lastAssignedAt'> & Absent<Pick<Required<FloorAgent>, 'lastAssignedAt'>>)[];
  groups: (Omit<FloorGroup, 'fallback'> & Absent<Pick<Required<FloorGroup>, 'fallback'>>)[];
  waiting: (Omit<Waiting, 'enteredAt'> & { enteredAt: string })[];
}

/** As it is now. Decisions hold only for whoever has the turn. */
export const readFloor = async (scope: OrganizationScope, { queue = true } = {}): Promise<Floor> => {
  const values = [scope.organizationId, queue];
  const [row] = (await executorOf(scope.db).query<Row>({ text: FLOOR, values })).rows;
  return {
    agents: row!.agents.map(({ lastAssignedAt, ...agent }) => ({
      ...agent,
      ...(lastAssignedAt === null ? {} : { lastAssignedAt: new Date(lastAssignedAt).toISOString() }),
    })),
    groups: row!.groups.map(({ fallback, ...group }) => ({ ...group, ...(fallback === null ? {} : { fallback }) })),
    waiting: row!.waiting.map((one) => ({ ...one, enteredAt: new Date(one.enteredAt) })),
  };
};

/** Takes the turn and looks. */
export const openFloor = async (tx: Transaction<OrganizationScope>): Promise<Floor> => {
  await lockOrganization(tx);
  return readFloor(tx);
};

/** The same floor with another load of one agent. */
export const withLoad = (floor: Floor, agentId: string | null, change: number): Floor => ({
  ...floor,
  agents: floor.agents.map((one) => (one.id === agentId ? { ...one, open: one.open + change } : one)),
});

const NEWEST = Number.MAX_SAFE_INTEGER;

const byTurn = (one: Waiting, other: Waiting): number =>
  other.priority - one.priority ||
  one.enteredAt.getTime() - other.enteredAt.getTime() ||
  (one.stayId ?? NEWEST) - (other.stayId ?? NEWEST);

/** The same floor with more chats in line; those that enter together keep their order. */
export const withWaiting = (floor: Floor, more: Waiting[]): Floor => ({
  ...floor,
  waiting: [...floor.waiting, ...more].sort(byTurn),
});

export const withoutWaiting = (floor: Floor, chatIds: string[]): Floor => ({
  ...floor,
  waiting: floor.waiting.filter(({ chatId }) => !chatIds.includes(chatId)),
});
