import type { QueryResultRow } from 'pg';
import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import { isSubscribed } from './platform-resellers.ts';

/**
 * Queries for due items of all owners. Each is one statement that usually finds nothing, and is limited. The caller
 * checks again with the owner's rows locked.
 */
export const queryRows = async <Row extends QueryResultRow>(
  executor: Executor,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> => (await executor.query<Row>({ name, text: `${PLATFORM_MARK} ${text}`, values })).rows;

const MAX = 100;
/** A limit per organization, so that one with a large backlog or failing items does not delay others. */
const MAX_PER_OWNER = 20;

/** Round robin over the owners, and by due time within each. `due` defines `since`. */
export const roundRobin = (columns: string, due: string, limit = MAX, maxPerOwner = MAX_PER_OWNER): string =>
  `select ${columns} from (
     select due.*, row_number() over (partition by due."organizationId" order by due.since) as ordinal from (${due}) due
   ) ranked
   where ordinal <= ${maxPerOwner} order by ordinal, since limit ${limit}`;

/** An open agent socket. */
export interface ConnectionKey {
  organizationId: string;
  connectionId: string;
}

/** Extends all sockets of a process in one statement. Returns the ids of those that still exist. */
export const keepConnectionsAlive = async (
  executor: Executor,
  connections: ConnectionKey[],
  until: Date,
): Promise<string[]> => {
  const rows = await queryRows<{ id: string }>(
    executor,
    'keep_connections_alive',
    `update agent_connections c set alive_until = $3
     from unnest($1::uuid[], $2::uuid[]) as open(organization_id, id)
     where c.organization_id = open.organization_id and c.id = open.id
     returning c.id`,
    [connections.map((one) => one.organizationId), connections.map((one) => one.connectionId), until],
  );
  return rows.map(({ id }) => id);
};

export interface DueAgent {
  organizationId: string;
  agentId: string;
}

const AGENT = '"organizationId", "agentId"';

/** Agents whose sockets have expired, and agents without a socket since `disconnectedAt`. */
export const findGoneAgents = (executor: Executor, now: Date, disconnectedAt: Date): Promise<DueAgent[]> =>
  queryRows(
    executor,
    'find_gone_agents',
    roundRobin(
      AGENT,
      `select gone."organizationId", gone."agentId", min(gone.since) as since from (
         select c.organization_id as "organizationId", c.agent_id as "agentId", c.alive_until as since
         from agent_connections c where c.alive_until <= $1
         union all
         select a.organization_id, a.id, a.disconnected_at from agents a where a.disconnected_at <= $2
       ) gone group by gone."organizationId", gone."agentId"`,
    ),
    [now, disconnectedAt],
  );

/** Agents whose shift has started or ended. */
export const findShiftChanges = (executor: Executor, now: Date): Promise<DueAgent[]> =>
  queryRows(
    executor,
    'find_shift_changes',
    roundRobin(
      AGENT,
      `select a.organization_id as "organizationId", a.id as "agentId", a.shift_ends_at as since from agents a
       where a.shift_ends_at <= $1 and a.deleted_at is null`,
    ),
    [now],
  );

export interface DueChat {
  organizationId: string;
  chatId: string;
}

const CHAT = '"organizationId", "chatId"';

/** Assigned chats that have been inactive for longer than their organization allows. */
export const findIdleChats = (executor: Executor, now: Date): Promise<DueChat[]> =>
  queryRows(
    executor,
    'find_idle_chats',
    roundRobin(
      CHAT,
      `select c.organization_id as "organizationId", c.id as "chatId",
         greatest(c.last_event_at, c.last_thread_created_at) as since
       from chats c join organizations o on o.id = c.organization_id
       where c.active and c.assignee_id is not null and o.idle_close_minutes > 0
         and greatest(c.last_event_at, c.last_thread_created_at)
           <= $1::timestamptz - make_interval(mins => o.idle_close_minutes)`,
    ),
    [now],
  );

/**
 * Another agent has capacity: an agent of the chat's groups, or any agent if a group has a fallback. Routing selects the agent.
 */
const CAN_REASSIGN = `exists (
  select from agents a
  where a.organization_id = c.organization_id and a.id <> c.assignee_id and a.kind = 'person'
    and a.deleted_at is null and a.status = 'accepting chats' and not a.away
    and a.max_chats_count > (
      select count(*) from chats n where n.organization_id = a.organization_id and n.assignee_id = a.id and n.active)
    and (
      exists (select from agent_groups m
        where m.organization_id = a.organization_id and m.agent_id = a.id and m.group_id = any(c.group_ids))
      or exists (select from groups g
        where g.organization_id = a.organization_id and g.id = any(c.group_ids) and g.fallback_group_id is not null)))`;

/** Chats whose customer has waited too long for a reply and that can be assigned to another agent. */
export const findUnansweredChats = (executor: Executor, now: Date): Promise<DueChat[]> =>
  queryRows(
    executor,
    'find_unanswered_chats',
    roundRobin(
      CHAT,
      `select c.organization_id as "organizationId", c.id as "chatId", waits.since
       from organizations o
       join chats c on c.organization_id = o.id and c.active and c.assignee_id is not null
       join lateral (
         select e.author_kind, e.created_at from events e
         where e.organization_id = c.organization_id and e.thread_id = c.last_thread_id
           and e.author_kind <> 'system' and e.visibility = 'all'
         order by e.number desc limit 1
       ) last on last.author_kind = 'customer'
       cross join lateral (
         select greatest(last.created_at, max(a.assigned_at)) as since from assignments a
         where a.organization_id = c.organization_id and a.chat_id = c.id and a.ended_at is null
       ) waits
       where o.unassign_minutes > 0 and waits.since <= $1::timestamptz - make_interval(mins => o.unassign_minutes)
         and ${CAN_REASSIGN}`,
    ),
    [now],
  );

/**
 * Queued chats whose customer closed the last socket and has been inactive since. Nothing is known about customers who
 * never had one.
 */
export const findAbandonedChats = (executor: Executor, now: Date): Promise<DueChat[]> =>
  queryRows(
    executor,
    'find_abandoned_chats',
    roundRobin(
      CHAT,
      `select c.organization_id as "organizationId", c.id as "chatId", heard.since
       from queue_entries q
       join organizations o on o.id = q.organization_id
       join chats c on c.organization_id = q.organization_id and c.id = q.chat_id and c.active and not c.continuous
       join lateral (
         select v.last_seen_at, v.online_until from visits v
         where v.organization_id = c.organization_id and v.customer_id = c.customer_id
         order by v.number desc limit 1
       ) visit on visit.online_until <= $1
       cross join lateral (
         select greatest(q.entered_at, visit.last_seen_at, visit.online_until, c.last_event_at) as since
       ) heard
       where q.left_at is null and o.abandon_minutes > 0
         and heard.since <= $1::timestamptz - make_interval(mins => o.abandon_minutes)`,
    ),
    [now],
  );

/** Events whose follow-up is missing, for example because the process ended right after writing them. */
export const findUnfinishedEvents = (
  executor: Executor,
): Promise<{ organizationId: string; threadId: string; number: number }[]> =>
  queryRows(
    executor,
    'find_unfinished_events',
    `select f.organization_id as "organizationId", f.thread_id as "threadId", f.number
     from event_follow_ups f order by random() limit ${MAX}`,
    [],
  );

const idsOf = (rows: { organizationId: string }[]): string[] => rows.map(({ organizationId }) => organizationId);

/** Organizations whose queue may be served; unordered, so that none is always last. */
export const findWaitingOrganizations = async (executor: Executor): Promise<string[]> =>
  idsOf(
    await queryRows(
      executor,
      'find_waiting_organizations',
      `select o.id as "organizationId" from organizations o
       where exists (select from queue_entries q where q.organization_id = o.id and q.left_at is null)
         and exists (select from agents a
           where a.organization_id = o.id and a.deleted_at is null and a.status = 'accepting chats' and not a.away)
       order by random() limit ${MAX}`,
      [],
    ),
  );

/** Expired trials and unpaid licenses without a subscription, which ends its license itself. */
export const findEndedLicenses = async (executor: Executor, now: Date): Promise<string[]> =>
  idsOf(
    await queryRows(
      executor,
      'find_ended_licenses',
      `select o.id as "organizationId" from organizations o
       where o.status = 'trial' and o.trial_ends_at <= $1
         or o.status = 'active' and o.paid_until <= $1 and not ${isSubscribed('o.id')}
       order by random() limit ${MAX}`,
      [now],
    ),
  );

/**
 * Each owner and projection with queue entries, found one after the other in the index, regardless of the length of the
 * queue.
 */
export const findPendingProjections = (executor: Executor): Promise<{ ownerId: string; name: string }[]> =>
  queryRows(
    executor,
    'find_pending_projections',
    `with recursive pending as (
       (select q.owner_id, q.projection from projection_queue q order by q.owner_id, q.projection limit 1)
       union all
       select n.owner_id, n.projection from pending p cross join lateral (
         select q.owner_id, q.projection from projection_queue q
         where (q.owner_id, q.projection) > (p.owner_id, p.projection) order by q.owner_id, q.projection limit 1) n
     )
     select p.owner_id as "ownerId", p.projection as name from pending p order by random()`,
    [],
  );
