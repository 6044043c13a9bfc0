import type { QueryResultRow } from 'pg';
import type { Executor } from './database.ts';
import { PLATFORM_MARK } from './guard.ts';

/**
 * What is due, whosever it is: each look is one statement over all owners that finds nothing most of the time, and not all
 * at once when there is much. Whoever acts on it looks again with the owner's rows held.
 */
const look = async <Row extends QueryResultRow>(
  executor: Executor,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> => (await executor.query<Row>({ name, text: `${PLATFORM_MARK} ${text}`, values })).rows;

const MOST = 100;

/** An open socket of an agent. */
export interface ConnectionKey {
  organizationId: string;
  connectionId: string;
}

/** One statement for all sockets of a process. Returns those that are known. */
export const keepConnectionsAlive = async (
  executor: Executor,
  connections: ConnectionKey[],
  until: Date,
): Promise<string[]> => {
  const rows = await look<{ id: string }>(
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

/** Agents with sockets that nobody keeps alive, and those who have none since then. */
export const findGoneAgents = (executor: Executor, now: Date, goneSince: Date): Promise<DueAgent[]> =>
  look(
    executor,
    'find_gone_agents',
    `(select c.organization_id as "organizationId", c.agent_id as "agentId" from agent_connections c
      where c.alive_until <= $1 limit ${MOST})
     union
     (select a.organization_id, a.id from agents a where a.gone_since <= $2 limit ${MOST})`,
    [now, goneSince],
  );

/** Agents whose shift has begun or ended. */
export const findShiftChanges = (executor: Executor, now: Date): Promise<DueAgent[]> =>
  look(
    executor,
    'find_shift_changes',
    `select a.organization_id as "organizationId", a.id as "agentId" from agents a
     where a.shift_ends_at <= $1 and a.deleted_at is null
     order by a.shift_ends_at limit ${MOST}`,
    [now],
  );

export interface DueChat {
  organizationId: string;
  chatId: string;
}

/** Answered chats in which nothing was said for as long as their organization allows. */
export const findIdleChats = (executor: Executor, now: Date): Promise<DueChat[]> =>
  look(
    executor,
    'find_idle_chats',
    `select c.organization_id as "organizationId", c.id as "chatId"
     from chats c join organizations o on o.id = c.organization_id
     where c.active and c.assignee_id is not null and o.idle_close_minutes > 0
       and greatest(c.last_event_at, c.last_thread_created_at) <= $1::timestamptz - make_interval(mins => o.idle_close_minutes)
     limit ${MOST}`,
    [now],
  );

/** Chats whose customer had the last word so long ago that somebody else should answer. */
export const findUnansweredChats = (executor: Executor, now: Date): Promise<DueChat[]> =>
  look(
    executor,
    'find_unanswered_chats',
    `select c.organization_id as "organizationId", c.id as "chatId"
     from organizations o
     join chats c on c.organization_id = o.id and c.active and c.assignee_id is not null
     join lateral (
       select e.author_kind, e.created_at from events e
       where e.organization_id = c.organization_id and e.thread_id = c.last_thread_id
         and e.author_kind <> 'system' and e.visibility = 'all'
       order by e.number desc limit 1
     ) last on last.author_kind = 'customer'
     where o.unassign_minutes > 0
       and greatest(last.created_at, (
         select max(a.assigned_at) from assignments a
         where a.organization_id = c.organization_id and a.chat_id = c.id and a.ended_at is null
       )) <= $1::timestamptz - make_interval(mins => o.unassign_minutes)
     limit ${MOST}`,
    [now],
  );

/** Waiting chats whose customer closed its last socket and was not heard of since. Of whoever never had one nothing is known. */
export const findAbandonedChats = (executor: Executor, now: Date): Promise<DueChat[]> =>
  look(
    executor,
    'find_abandoned_chats',
    `select c.organization_id as "organizationId", c.id as "chatId"
     from queue_stays q
     join organizations o on o.id = q.organization_id
     join chats c on c.organization_id = q.organization_id and c.id = q.chat_id and c.active and not c.continuous
     join lateral (
       select v.last_seen_at, v.online_until from visits v
       where v.organization_id = c.organization_id and v.customer_id = c.customer_id
       order by v.number desc limit 1
     ) visit on visit.online_until <= $1
     where q.left_at is null and o.abandon_minutes > 0
       and greatest(q.entered_at, visit.last_seen_at, visit.online_until, c.last_event_at)
         <= $1::timestamptz - make_interval(mins => o.abandon_minutes)
     limit ${MOST}`,
    [now],
  );

const idsOf = (rows: { organizationId: string }[]): string[] => rows.map(({ organizationId }) => organizationId);

export const findWaitingOrganizations = async (executor: Executor): Promise<string[]> =>
  idsOf(
    await look(
      executor,
      'find_waiting_organizations',
      `select distinct q.organization_id as "organizationId" from queue_stays q where q.left_at is null`,
      [],
    ),
  );

export const findEndedTrials = async (executor: Executor, now: Date): Promise<string[]> =>
  idsOf(
    await look(
      executor,
      'find_ended_trials',
      `select o.id as "organizationId" from organizations o
       where o.status = 'trial' and o.trial_ends_at <= $1 order by o.trial_ends_at limit ${MOST}`,
      [now],
    ),
  );

/** Who has chats that reports do not know yet; in no order, so that nobody is always the last. */
export const findOrganizationsWithReportMarks = async (executor: Executor): Promise<string[]> =>
  idsOf(
    await look(
      executor,
      'find_organizations_with_report_marks',
      `select o.id as "organizationId" from organizations o
       where exists (select from report_marks m where m.organization_id = o.id) order by random() limit ${MOST}`,
      [],
    ),
  );

/** Who has chats that searches do not know yet. */
export const findOrganizationsWithArchiveMarks = async (executor: Executor): Promise<string[]> =>
  idsOf(
    await look(
      executor,
      'find_organizations_with_archive_marks',
      `select o.id as "organizationId" from organizations o
       where exists (select from archive_marks m where m.organization_id = o.id) order by random() limit ${MOST}`,
      [],
    ),
  );

export interface EndedVisit {
  organizationId: string;
  customerId: string;
  visitId: string;
}

const MOST_VISITS = 1_000;

/** Until when each sign of a visitor counts. */
export interface LastSigns {
  untracked: Date;
  gone: Date;
  silent: Date;
}

/** Visits whose page or socket is gone since then, or that are silent since then. Those that go on are few enough to look at each. */
export const findEndedVisits = (executor: Executor, { untracked, gone, silent }: LastSigns): Promise<EndedVisit[]> =>
  look(
    executor,
    'find_ended_visits',
    `select v.organization_id as "organizationId", v.customer_id as "customerId", v.id as "visitId" from visits v
     where v.ended_at is null
       and case
         when v.tracked_until >= v.last_seen_at and v.tracked_until >= coalesce(v.online_until, v.tracked_until)
           then v.tracked_until <= $3
         when v.online_until >= v.last_seen_at then v.online_until <= $1
         else v.last_seen_at <= $2 end
     limit ${MOST_VISITS}`,
    [gone, silent, untracked],
  );

export interface DueMail {
  organizationId: string;
  id: string;
  envelopeFrom: string;
  recipients: string[];
  storageKey: string;
  /** This one included. */
  attempts: number;
}

/** Takes the mail that waits longest; until then nobody else gets it. */
export const claimWaitingMail = async (executor: Executor, now: Date, until: Date): Promise<DueMail | undefined> =>
  (
    await look<DueMail>(
      executor,
      'claim_waiting_mail',
      `update incoming_mails m set attempts = m.attempts + 1, next_attempt_at = $2
       from (
         select organization_id, id from incoming_mails
         where filed_at is null and next_attempt_at <= $1
         order by next_attempt_at limit 1 for update skip locked
       ) due
       where m.organization_id = due.organization_id and m.id = due.id
       returning m.organization_id as "organizationId", m.id, m.envelope_from as "envelopeFrom", m.recipients,
         m.storage_key as "storageKey", m.attempts`,
      [now, until],
    )
  )[0];

/** Somebody tries again then. */
export const postponeMail = async (
  executor: Executor,
  { organizationId, id }: Pick<DueMail, 'organizationId' | 'id'>,
  until: Date,
): Promise<void> => {
  await executor.query({
    name: 'postpone_mail',
    text: `update incoming_mails m set next_attempt_at = $3
       where m.organization_id = $1 and m.id = $2 and m.filed_at is null`,
    values: [organizationId, id, until],
  });
};
