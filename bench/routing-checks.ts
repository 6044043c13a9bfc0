import type { Client } from 'pg';

interface Assignment {
  chatId: string;
  agentId: string;
  assignedAt: number;
  endedAt: number | null;
  enteredAt: number | null;
  queueEntryId: number | null;
}

const SELECT_ASSIGNMENTS = `
select a.chat_id as "chatId", a.agent_id as "agentId", extract(epoch from a.assigned_at)::float8 * 1000 as "assignedAt",
  extract(epoch from a.ended_at)::float8 * 1000 as "endedAt", extract(epoch from q.entered_at)::float8 * 1000 as "enteredAt",
  q.id::int as "queueEntryId"
from assignments a
left join queue_entries q on q.organization_id = a.organization_id and q.thread_id = a.thread_id
where a.organization_id = $1
order by a.id`;

export const readAssignments = async (client: Client, organizationId: string): Promise<Assignment[]> =>
  (await client.query<Assignment>(SELECT_ASSIGNMENTS, [organizationId])).rows;

/**
 * Counts violations in the current state: agents above their limit, chats that are both assigned and queued or neither, and
 * queued chats although an agent has capacity.
 */
const SELECT_VIOLATIONS = `
with open as (
  select c.assignee_id, count(*) as chats from chats c
  where c.organization_id = $1 and c.active and c.assignee_id is not null group by 1
), waiting as (
  select q.chat_id from queue_entries q where q.organization_id = $1 and q.left_at is null
)
select (
  select count(*)::int from open join agents a on a.organization_id = $1 and a.id = open.assignee_id
  where open.chats > a.max_chats_count
) as "aboveLimit", (
  select count(*)::int from chats c
  where c.organization_id = $1 and c.active and (c.assignee_id is null) <> (c.id in (select chat_id from waiting))
) as "inconsistent", (
  select least((select count(*) from waiting), coalesce(sum(greatest(a.max_chats_count - coalesce(open.chats, 0), 0)), 0))::int
  from agents a left join open on open.assignee_id = a.id
  where a.organization_id = $1 and a.status = 'accepting chats'
) as "waitingDespiteCapacity", (select count(*)::int from waiting) as "queued"`;

export interface ViolationCounts {
  aboveLimit: number;
  inconsistent: number;
  waitingDespiteCapacity: number;
  queued: number;
}

/** Polls the tables until it is stopped. Returns the highest counts. */
export const watchViolations = (client: Client, organizationId: string, intervalMs: number) => {
  const highest: ViolationCounts = { aboveLimit: 0, inconsistent: 0, waitingDespiteCapacity: 0, queued: 0 };
  const poll = async (): Promise<void> => {
    const [current] = (await client.query<ViolationCounts>(SELECT_VIOLATIONS, [organizationId])).rows;
    for (const key of Object.keys(highest) as (keyof ViolationCounts)[])
      highest[key] = Math.max(highest[key], current![key]);
  };
  let polling = Promise.resolve();
  const timer = setInterval(() => {
    polling = polling.then(poll);
  }, intervalMs);
  return {
    stop: async (): Promise<ViolationCounts> => {
      clearInterval(timer);
      await polling;
      await poll();
      return highest;
    },
  };
};

/** The highest number of chats that an agent had at the same time. A chat that starts when another ends does not count twice. */
export const maxConcurrentChats = (assignments: Assignment[]): number => {
  let highest = 0;
  for (const ofAgent of Map.groupBy(assignments, ({ agentId }) => agentId).values()) {
    const changes = ofAgent.flatMap(({ assignedAt, endedAt }) => [
      { at: assignedAt, by: 1 },
      ...(endedAt === null ? [] : [{ at: endedAt, by: -1 }]),
    ]);
    let open = 0;
    for (const { by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
      open += by;
      highest = Math.max(highest, open);
    }
  }
  return highest;
};

export const countAnsweredTwice = (assignments: Assignment[]): number =>
  assignments.length - new Set(assignments.map(({ chatId }) => chatId)).size;

/** Counts chats that were answered after a chat that had queued later. All chats wait for the same agents here. */
export const countOutOfOrder = (assignments: Assignment[]): number => {
  const waited = assignments.filter((a) => a.enteredAt !== null);
  const queue = waited.toSorted((a, b) => a.enteredAt! - b.enteredAt! || a.queueEntryId! - b.queueEntryId!);
  let latest = 0;
  let count = 0;
  for (const { assignedAt } of queue) {
    if (assignedAt < latest) count++;
    latest = Math.max(latest, assignedAt);
  }
  return count;
};

/**
 * The wait of each chat if every chat were assigned as soon as an agent has capacity, given the same arrivals, slots and
 * chat durations.
 */
export const idealWaits = (arrivals: { sentAt: number; talkMs: number }[], slots: number): number[] => {
  const freeAt = new Array<number>(slots).fill(0);
  return arrivals.map(({ sentAt, talkMs }) => {
    const slot = freeAt.indexOf(Math.min(...freeAt));
    const answeredAt = Math.max(sentAt, freeAt[slot]!);
    freeAt[slot] = answeredAt + talkMs;
    return answeredAt - sentAt;
  });
};
