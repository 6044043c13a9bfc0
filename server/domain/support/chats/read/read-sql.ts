import type { Visibility } from '#server/storage/tables/chats.ts';
import type { Actor } from '../../../access.ts';
import type { AgentUser, ChatUser, CustomerUser, EventRecord, ThreadRecord, ThreadWithEvents } from '../records.ts';
import { toEvent } from './read-rows.ts';

/**
 * Parts of the statements that read chats. They are handwritten: one statement with JSON lists answers a request, where
 * a query builder would need one per kind of row and more time to build them than to run them.
 */

/** Whether the reader may see events that are for agents only; `w.sees_agent_events` in the SQL parts. */
export const canSeeAgentEvents = ({ actor }: { actor: Actor }): boolean => actor.kind !== 'customer';

/** The first two parameters of a statement for a single reader. */
export const readerOf = (scope: { actor: Actor; organizationId: string }): [string, boolean] => [
  scope.organizationId,
  canSeeAgentEvents(scope),
];
export const READER = '(select $2::boolean as sees_agent_events) w';

/** Columns of chat `c` for lists. */
export const CHAT_IN_LIST = `c.id, c.customer_id as "customerId", c.group_ids as "groupIds", c.properties, c.active,
  c.last_thread_id as "lastThreadId", c.last_thread_created_at as "lastThreadCreatedAt"`;

export const CHAT = `${CHAT_IN_LIST}, c.continuous, c.anonymized, c.created_at as "createdAt"`;

/**
 * Joins the customer. The limits make each lookup separate; otherwise the planner may read all customers to join those
 * of a few chats.
 */
export const joinCustomer = (of: 'c' | 'w' | 'found'): string => `
cross join lateral (
  select o.name, o.email, o.avatar, o.session_fields from customers o
  where o.organization_id = ${of}.organization_id and o.id = ${of}.customer_id limit 1
) k`;

/** Joins the customer's row in the users of chat `c`. */
export const JOIN_PRESENCE = `
left join lateral (
  select o.present, o.seen_up_to from chat_users o
  where o.organization_id = c.organization_id and o.chat_id = c.id and o.kind = 'customer' and o.user_id = c.customer_id::text
  limit 1
) m on true`;

/** Users of chat `c`. Its only customer is joined as columns; agents are a list in the order they joined. */
export const USERS = `k.name as "customerName", k.email as "customerEmail", k.avatar as "customerAvatar",
  k.session_fields as "sessionFields", m.present as "customerPresent", m.seen_up_to as "customerSeenUpTo", (
  select json_agg(one) from (
    select u.user_id as id, u.present, u.seen_up_to as "seenUpTo", u.visibility, a.name, a.avatar, a.job_title as "jobTitle"
    from chat_users u
    join agents a on a.organization_id = u.organization_id and a.id = u.user_id
    where u.organization_id = c.organization_id and u.chat_id = c.id and u.kind = 'agent' and (u.visibility = 'all' or w.sees_agent_events)
    order by u.joined_at, u.user_id
  ) one) as agents`;

export const EVENT = `e.thread_id as "threadId", e.number, e.chat_id as "chatId", e.type, e.author_kind as "authorKind",
  e.author_id as "authorId", e.custom_id as "customId", e.visibility, e.content, e.properties, e.created_at as "createdAt"`;

/** Thread `t` with its events. Hidden supervisors are included among its agents only if the reader is an agent. */
export const THREAD = `t.id, t.chat_id as "chatId", t.active, t.group_ids as "groupIds", t.properties, t.tags,
  t.previous_thread_id as "previousThreadId", t.next_thread_id as "nextThreadId", t.created_at as "createdAt", t.closed_at as "closedAt",
  (select coalesce(json_agg(one), '[]') from (
    select ${EVENT} from events e
    where e.organization_id = t.organization_id and e.thread_id = t.id and (e.visibility = 'all' or w.sees_agent_events)
    order by e.number
  ) one) as events,
  (select coalesce(json_agg(k.agent_id order by k.agent_id), '[]') from thread_agents k
    where k.organization_id = t.organization_id and k.thread_id = t.id and (w.sees_agent_events or not exists (
      select from chat_users s where s.organization_id = t.organization_id and s.chat_id = t.chat_id and s.kind = 'agent'
        and s.user_id = k.agent_id and s.visibility = 'agents'))) as "agentIds"`;

interface AgentJson {
  id: string;
  present: boolean;
  seenUpTo: string | null;
  visibility: Visibility;
  name: string;
  avatar: string;
  jobTitle: string;
}

export interface UserColumns {
  customerId: string;
  customerName: string | null;
  customerEmail: string | null;
  customerAvatar: string | null;
  sessionFields: CustomerUser['sessionFields'];
  /** Null: the customer is not a user of the chat. */
  customerPresent: boolean | null;
  customerSeenUpTo: Date | null;
  agents: AgentJson[] | null;
}

type EventJson = Omit<Parameters<typeof toEvent>[0], 'createdAt'> & { createdAt: string };

export interface ThreadJson
  extends Pick<ThreadRecord, 'id' | 'chatId' | 'active' | 'groupIds' | 'properties' | 'tags'> {
  previousThreadId: string | null;
  nextThreadId: string | null;
  createdAt: string;
  closedAt: string | null;
  events: EventJson[];
  agentIds: string[];
}

const readCustomer = (row: UserColumns, present: boolean): CustomerUser => {
  const { customerId, customerName, customerEmail, customerAvatar, customerSeenUpTo, sessionFields } = row;
  const user: CustomerUser = { kind: 'customer', id: customerId, sessionFields, present };
  if (customerName !== null) user.name = customerName;
  if (customerEmail !== null) user.email = customerEmail;
  if (customerAvatar !== null) user.avatar = customerAvatar;
  if (customerSeenUpTo !== null) user.seenUpTo = customerSeenUpTo;
  return user;
};

const readAgent = ({ seenUpTo, ...json }: AgentJson): AgentUser => {
  const user: AgentUser = { kind: 'agent', ...json };
  if (seenUpTo !== null) user.seenUpTo = new Date(seenUpTo);
  return user;
};

export const readUsers = (row: UserColumns): ChatUser[] => {
  const agents = row.agents?.map(readAgent) ?? [];
  return row.customerPresent === null ? agents : [readCustomer(row, row.customerPresent), ...agents];
};

const readEvent = (json: EventJson): EventRecord => toEvent({ ...json, createdAt: new Date(json.createdAt) });

export const readThread = (json: ThreadJson, customerId: string): ThreadWithEvents => {
  const { id, chatId, active, groupIds, properties, tags, previousThreadId, nextThreadId, closedAt } = json;
  const thread: ThreadWithEvents = {
    id,
    chatId,
    active,
    groupIds,
    properties,
    tags,
    createdAt: new Date(json.createdAt),
    events: json.events.map(readEvent),
    userIds: [
      { kind: 'customer', id: customerId },
      ...json.agentIds.map((agent) => ({ kind: 'agent' as const, id: agent })),
    ],
  };
  if (previousThreadId !== null) thread.previousThreadId = previousThreadId;
  if (nextThreadId !== null) thread.nextThreadId = nextThreadId;
  if (closedAt !== null) thread.closedAt = new Date(closedAt);
  return thread;
};
