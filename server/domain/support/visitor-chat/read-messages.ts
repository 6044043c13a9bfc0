import { contentOf } from '../chats/append/append-statement.ts';
import type { EventContent } from '../chats/records.ts';
import { THREAD_STARTS } from './positions.ts';
import type { VisitorSession } from './sessions.ts';

export interface ChatAgent {
  name: string;
  avatar: string;
  jobTitle: string;
}

export type VisitorItem = { messageId: number; at: Date } & (
  | { kind: 'agent_details'; agent: ChatAgent }
  | { kind: 'event'; author: 'visitor' | 'system'; content: EventContent }
  | { kind: 'event'; author: 'agent'; agent: ChatAgent; content: EventContent }
);

interface AgentRow extends ChatAgent {
  id: string;
  joinedAt: Date;
  position: number;
}

interface EventRow {
  position: number;
  authorKind: 'customer' | 'agent' | 'system';
  authorId: string | null;
  type: string;
  content: Record<string, unknown>;
  createdAt: Date;
}

const MAX_PER_BATCH = 200;

/** Events have even numbers, which leaves an odd one before each for an agent who joined in between. */
const ofEvent = (position: number): number => 2 * position;
const ofAgent = (position: number): number => 2 * position - 1;

const EVENTS = `
select s.before + e.number as position, e.author_kind as "authorKind", e.author_id as "authorId", e.type, e.content,
  e.created_at as "createdAt"
from (${THREAD_STARTS}) s
join events e on e.organization_id = $1 and e.thread_id = s.id
where e.visibility = 'all' and s.before + e.number > $3
order by 1 limit ${MAX_PER_BATCH}`;

/** Agents visible to the customer, and the event before which each joined. */
const AGENTS = `
select a.id, a.name, a.avatar, a.job_title as "jobTitle", u.joined_at as "joinedAt",
  coalesce(
    (select min(s.before + e.number) from (${THREAD_STARTS}) s
     join events e on e.organization_id = $1 and e.thread_id = s.id and e.created_at >= u.joined_at),
    (select max(s.before + e.number) + 1 from (${THREAD_STARTS}) s
     join events e on e.organization_id = $1 and e.thread_id = s.id),
    1)::int as position
from chat_users u
join agents a on a.organization_id = $1 and a.id = u.user_id
where u.organization_id = $1 and u.chat_id = $2 and u.kind = 'agent' and u.visibility = 'all'
order by u.joined_at, a.id`;

const toItem = (row: EventRow, agents: Map<string, AgentRow>): VisitorItem => {
  const base = { kind: 'event', messageId: ofEvent(row.position), at: row.createdAt } as const;
  const content = contentOf(row.type, row.content);
  if (row.authorKind !== 'agent')
    return { ...base, author: row.authorKind === 'customer' ? 'visitor' : 'system', content };
  const { name, avatar, jobTitle } = agents.get(row.authorId!) ?? { name: 'Agent', avatar: '', jobTitle: '' };
  return { ...base, author: 'agent', agent: { name, avatar, jobTitle }, content };
};

/** Messages and joined agents after a message, in order. */
export const readMessages = async (
  { scope, chatId, fromPosition }: VisitorSession,
  lastMessageId = 0,
): Promise<VisitorItem[]> => {
  const after = Math.max(fromPosition, Math.floor(lastMessageId / 2));
  const [events, agents] = await Promise.all([
    scope.executor.query<EventRow>({ text: EVENTS, values: [scope.organizationId, chatId, after] }),
    scope.executor.query<AgentRow>({ text: AGENTS, values: [scope.organizationId, chatId] }),
  ]);
  const agentById = new Map(agents.rows.map((agent) => [agent.id, agent]));
  const last = events.rows.length === MAX_PER_BATCH ? events.rows.at(-1)!.position : Number.POSITIVE_INFINITY;
  const joined = agents.rows.map(
    ({ name, avatar, jobTitle, joinedAt, position }): VisitorItem & { itemPosition: number } => {
      // Agents who were already there are introduced first.
      const itemPosition = Math.max(position, fromPosition + 1);
      const agent = { name, avatar, jobTitle };
      return { kind: 'agent_details', messageId: ofAgent(itemPosition), at: joinedAt, agent, itemPosition };
    },
  );
  return [
    ...joined.filter(({ itemPosition }) => itemPosition <= last).map(({ itemPosition: _, ...item }) => item),
    ...events.rows.map((row) => toItem(row, agentById)),
  ]
    .filter(({ messageId }) => messageId > lastMessageId)
    .sort((one, other) => one.messageId - other.messageId);
};
