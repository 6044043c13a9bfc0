import type { Visibility } from '#server/storage/tables/chats.ts';
import type { OrganizationScope } from '../scope.ts';
import { toEvent } from './read-rows.ts';
import type { AgentUser, ChatUser, CustomerUser, EventRecord, ThreadRecord, ThreadWithEvents } from './records.ts';

/**
 * Parts of the statements that read chats. They are written by hand: one statement with lists as JSON answers a request,
 * where a query builder would ask for each kind of row and spend more on its texts than the answer costs.
 */

/** Whether the reader sees what is for agents only; the parts know it as `w.sees_notes`. */
export const seesNotes = ({ actor }: OrganizationScope): boolean => actor.kind !== 'customer';

/** The first two values of a statement that asks for one reader alone. */
export const readerOf = (scope: OrganizationScope): [string, boolean] => [scope.organizationId, seesNotes(scope)];
export const READER = '(select $2::boolean as sees_notes) w';

export const CHAT = `c.id, c.customer_id as "customerId", c.group_ids as "groupIds", c.properties, c.active, c.continuous,
  c.anonymized, c.last_thread_id as "lastThreadId", c.last_thread_created_at as "lastThreadCreatedAt", c.created_at as "createdAt"`;

/** Of the chat `c`: its customer first, then the agents as they joined. */
export const USERS = `(
  select coalesce(json_agg(one), '[]') from (
    select u.kind, u.user_id as id, u.present, u.seen_up_to as "seenUpTo", u.visibility, coalesce(k.name, a.name) as name,
      k.email, coalesce(k.avatar, a.avatar) as avatar, k.session_fields as "sessionFields", a.job_title as "jobTitle"
    from chat_users u
    left join customers k on k.organization_id = c.organization_id and u.kind = 'customer' and k.id = c.customer_id
    left join agents a on a.organization_id = c.organization_id and u.kind = 'agent' and a.id = u.user_id
    where u.organization_id = c.organization_id and u.chat_id = c.id and (u.visibility = 'all' or w.sees_notes)
    order by u.kind desc, u.joined_at
  ) one) as users`;

export const EVENT = `e.thread_id as "threadId", e.number, e.chat_id as "chatId", e.type, e.author_kind as "authorKind",
  e.author_id as "authorId", e.custom_id as "customId", e.visibility, e.content, e.properties, e.created_at as "createdAt"`;

/** Of the thread `t`, with everything in it. A silent supervisor worked on it too, but only agents learn that. */
export const THREAD = `t.id, t.chat_id as "chatId", t.active, t.group_ids as "groupIds", t.properties, t.tags,
  t.previous_thread_id as "previousThreadId", t.next_thread_id as "nextThreadId", t.created_at as "createdAt", t.closed_at as "closedAt",
  (select coalesce(json_agg(one), '[]') from (
    select ${EVENT} from events e
    where e.organization_id = t.organization_id and e.thread_id = t.id and (e.visibility = 'all' or w.sees_notes)
    order by e.number
  ) one) as events,
  (select coalesce(json_agg(k.agent_id order by k.agent_id), '[]') from thread_agents k
    where k.organization_id = t.organization_id and k.thread_id = t.id and (w.sees_notes or not exists (
      select from chat_users s where s.organization_id = t.organization_id and s.chat_id = t.chat_id and s.kind = 'agent'
        and s.user_id = k.agent_id and s.visibility = 'agents'))) as "agentIds"`;

export interface UserJson {
  kind: 'customer' | 'agent';
  id: string;
  present: boolean;
  seenUpTo: string | null;
  visibility: Visibility;
  name: string | null;
  email: string | null;
  avatar: string | null;
  sessionFields: CustomerUser['sessionFields'];
  jobTitle: string;
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

const toAgent = ({ id, name, avatar, jobTitle, present, visibility }: UserJson): AgentUser => ({
  kind: 'agent',
  id,
  name: name!,
  avatar: avatar!,
  jobTitle,
  present,
  visibility,
});

const toCustomer = ({ id, name, email, avatar, sessionFields, present }: UserJson): CustomerUser => {
  const user: CustomerUser = { kind: 'customer', id, sessionFields, present };
  if (name !== null) user.name = name;
  if (email !== null) user.email = email;
  if (avatar !== null) user.avatar = avatar;
  return user;
};

export const readUser = (json: UserJson): ChatUser => {
  const user = json.kind === 'agent' ? toAgent(json) : toCustomer(json);
  if (json.seenUpTo !== null) user.seenUpTo = new Date(json.seenUpTo);
  return user;
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
