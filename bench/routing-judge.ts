import type { Client } from 'pg';

interface Answered {
  chatId: string;
  agentId: string;
  assignedAt: number;
  endedAt: number | null;
  enteredAt: number | null;
  stayId: number | null;
}

const HISTORY = `
select a.chat_id as "chatId", a.agent_id as "agentId", extract(epoch from a.assigned_at)::float8 * 1000 as "assignedAt",
  extract(epoch from a.ended_at)::float8 * 1000 as "endedAt", extract(epoch from q.entered_at)::float8 * 1000 as "enteredAt",
  q.id::int as "stayId"
from assignments a
left join queue_stays q on q.organization_id = a.organization_id and q.thread_id = a.thread_id
where a.organization_id = $1
order by a.id`;

export const readHistory = async (client: Client, organizationId: string): Promise<Answered[]> =>
  (await client.query<Answered>(HISTORY, [organizationId])).rows;

/** What must not be at any moment: too many chats, two states at once, none of them, or a wait in spite of room. */
const NOW = `
with open as (
  select c.assignee_id, count(*) as chats from chats c
  where c.organization_id = $1 and c.active and c.assignee_id is not null group by 1
), waiting as (
  select q.chat_id from queue_stays q where q.organization_id = $1 and q.left_at is null
)
select (
  select count(*)::int from open join agents a on a.organization_id = $1 and a.id = open.assignee_id
  where open.chats > a.max_chats_count
) as "aboveLimit", (
  select count(*)::int from chats c
  where c.organization_id = $1 and c.active and (c.assignee_id is null) <> (c.id in (select chat_id from waiting))
) as "neitherOrBoth", (
  select least((select count(*) from waiting), coalesce(sum(greatest(a.max_chats_count - coalesce(open.chats, 0), 0)), 0))::int
  from agents a left join open on open.assignee_id = a.id
  where a.organization_id = $1 and a.status = 'accepting chats'
) as "waitingDespiteRoom", (select count(*)::int from waiting) as "queued"`;

export interface Moment {
  aboveLimit: number;
  neitherOrBoth: number;
  waitingDespiteRoom: number;
  queued: number;
}

/** Looks again and again until it is told to stop; says how bad it was at worst. */
export const watchTables = (client: Client, organizationId: string, everyMs: number) => {
  const worst: Moment = { aboveLimit: 0, neitherOrBoth: 0, waitingDespiteRoom: 0, queued: 0 };
  const look = async (): Promise<void> => {
    const [now] = (await client.query<Moment>(NOW, [organizationId])).rows;
    for (const key of Object.keys(worst) as (keyof Moment)[]) worst[key] = Math.max(worst[key], now![key]);
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  return {
    stop: async (): Promise<Moment> => {
      clearInterval(timer);
      await looking;
      await look();
      return worst;
    },
  };
};

/** The most chats that one agent had at once. An end and a beginning at the same moment are one place. */
export const maxConcurrent = (history: Answered[]): number => {
  let most = 0;
  for (const own of Map.groupBy(history, ({ agentId }) => agentId).values()) {
    const changes = own.flatMap(({ assignedAt, endedAt }) => [
      { at: assignedAt, by: 1 },
      ...(endedAt === null ? [] : [{ at: endedAt, by: -1 }]),
    ]);
    let open = 0;
    for (const { by } of changes.toSorted((one, other) => one.at - other.at || one.by - other.by)) {
      open += by;
      most = Math.max(most, open);
    }
  }
  return most;
};

export const answeredTwice = (history: Answered[]): number =>
  history.length - new Set(history.map(({ chatId }) => chatId)).size;

/** Chats that were answered before one that had waited longer. All wait for the same agents here. */
export const outOfTurn = (history: Answered[]): number => {
  const waited = history.filter((one) => one.enteredAt !== null);
  const queue = waited.toSorted((one, other) => one.enteredAt! - other.enteredAt! || one.stayId! - other.stayId!);
  let latest = 0;
  let count = 0;
  for (const { assignedAt } of queue) {
    if (assignedAt < latest) count++;
    latest = Math.max(latest, assignedAt);
  }
  return count;
};

/**
 * How long each would have waited had everybody been answered in the moment there was room: the same arrivals, the same
 * places, and chats that take as long as they took.
 */
export const idealWaits = (arrivals: { sentAt: number; talkMs: number }[], places: number): number[] => {
  const freeAt = new Array<number>(places).fill(0);
  return arrivals.map(({ sentAt, talkMs }) => {
    const place = freeAt.indexOf(Math.min(...freeAt));
    const answeredAt = Math.max(sentAt, freeAt[place]!);
    freeAt[place] = answeredAt + talkMs;
    return answeredAt - sentAt;
  });
};
