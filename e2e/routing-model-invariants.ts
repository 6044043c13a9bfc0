import { availableAgents, openChatsOf, waitingIn } from './routing-model-rules.ts';
import type { AssignmentState, ChatState, Snapshot } from './routing-model-snapshot.ts';

/** Manual assignments of a step, which may exceed an agent’s limit. */
export interface Allowance {
  /** Number of chats assigned to each agent regardless of the limit. */
  forced: Map<string, number>;
  /** Limits that applied at some time during the step. */
  limits: Map<string, number[]>;
}

export const newAllowance = (): Allowance => ({ forced: new Map(), limits: new Map() });

const ROUTING_RULES = ['only_candidate', 'lowest_load', 'longest_waiting', 'login_order', 'bot_first'];
const MANUAL_RULES = ['transferred', 'taken_over', 'started'];
const LEFT = ['manual_archived_customer', 'archived_customer_disconnected'];
const CLOSED = ['manual_archived_agent', 'routing.archived_inactive'];

type Violations = Generator<string>;

function* limitViolations(before: Snapshot, after: Snapshot, { forced, limits }: Allowance): Violations {
  for (const { id, limit } of after.agents) {
    const earlier = before.agents.find((agent) => agent.id === id)!;
    const open = openChatsOf(after, id);
    const highest = Math.max(limit, earlier.limit, ...(limits.get(id) ?? []));
    const most = Math.max(highest, openChatsOf(before, id)) + (forced.get(id) ?? 0);
    if (open > most) yield `${id} answers ${open} chats, more than ${most}`;
  }
}

function* chatViolations(all: Snapshot, chat: ChatState): Violations {
  const queueEntries = waitingIn(all).filter(({ chatId }) => chatId === chat.id);
  const current = all.assignments.filter(({ chatId, endedAt }) => chatId === chat.id && endedAt === null);
  const name = `chat ${chat.id}`;
  if (chat.activeThreads !== (chat.active ? 1 : 0)) yield `${name} has ${chat.activeThreads} active threads`;
  if (!chat.active) {
    if (queueEntries.length + current.length > 0 || chat.assignee !== null)
      yield `${name} is closed but waits or is answered`;
    return;
  }
  if (chat.assignee === null) {
    if (queueEntries.length !== 1) yield `${name} has no agent and ${queueEntries.length} queue entries`;
    if (current.length > 0) yield `${name} has no agent but an open assignment`;
    for (const { threadId, groups } of queueEntries) {
      if (threadId !== chat.threadId) yield `${name} waits with a thread that is not its last`;
      if (groups.toString() !== chat.groups.toString()) yield `${name} waits for ${groups}, not for ${chat.groups}`;
    }
    const available = availableAgents(all, chat);
    if (available.length > 0) yield `${name} waits although ${available.map(({ id }) => id)} could take it`;
    return;
  }
  if (queueEntries.length > 0) yield `${name} has an agent and waits`;
  if (!chat.isAssigneePresent) yield `${name} is answered by ${chat.assignee}, who is not in it`;
  if (current.length !== 1 || current[0]!.agentId !== chat.assignee || current[0]!.threadId !== chat.threadId)
    yield `${name} is answered by ${chat.assignee}, but has ${current.length} open assignments: ${JSON.stringify(current)}`;
}

function* assignmentViolations({ id, agentId, rule, candidates }: AssignmentState): Violations {
  const name = `assignment ${id}`;
  const own = candidates.find((one) => one.agentId === agentId);
  if (ROUTING_RULES.includes(rule)) {
    if (!own || own.open >= own.limit) yield `${name} by ${rule} went to ${JSON.stringify(own)}`;
  } else if (!MANUAL_RULES.includes(rule)) yield `${name} has the unknown rule ${rule}`;
  if (rule === 'transferred' && !own) yield `${name} does not say how busy its agent was`;
}

function* queueEntryViolations({ queueEntries, assignments }: Snapshot): Violations {
  for (const { id, threadId, enteredAt, leftAt, outcome, closedAt, lastSystemMessage } of queueEntries) {
    const name = `entry ${id} (${outcome})`;
    if (leftAt === null || outcome === null) continue;
    if (leftAt < enteredAt) yield `${name} ended before it began`;
    if (outcome === 'assigned') {
      const met = assignments.some((one) => one.threadId === threadId && one.assignedAt === leftAt);
      if (!met) yield `${name} ended without an assignment`;
    } else if (closedAt !== leftAt) yield `${name} ended at ${leftAt}, its thread at ${closedAt}`;
    else if (!(outcome === 'left' ? LEFT : CLOSED).includes(String(lastSystemMessage)))
      yield `${name} ended with ${lastSystemMessage}`;
  }
}

function* agentViolations({ agents }: Snapshot): Violations {
  for (const { id, status, recordedStatuses, away, awayEverywhere } of agents) {
    for (const last of recordedStatuses)
      if ((last ?? 'offline') !== status) yield `${id} is ${status}, recorded as ${last}`;
    if (status !== 'offline' && awayEverywhere !== null && away !== awayEverywhere)
      yield `${id} counts as ${away ? 'away' : 'here'}, its sockets say otherwise`;
  }
}

/** All violations of the invariants after a step. */
export const findViolations = (before: Snapshot, after: Snapshot, allowance: Allowance): string[] => [
  ...limitViolations(before, after, allowance),
  ...after.chats.flatMap((chat) => [...chatViolations(after, chat)]),
  ...after.assignments.flatMap((one) => [...assignmentViolations(one)]),
  ...queueEntryViolations(after),
  ...agentViolations(after),
];
