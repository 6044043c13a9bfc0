import type { QueueOutcome } from '#server/storage/tables/routing.ts';
import type { Interval, Outcome, SimulatedChat, SimulationResult, WorkInterval } from './model.ts';

export interface StoredQueueEntry extends Interval {
  groupIds: number[];
  priority: number;
  outcome: QueueOutcome | null;
}

export interface StoredAssignment extends Interval {
  agentId: string;
  byBot: boolean;
  rule: string;
  groupIds: number[];
}

/** A thread with its waits and assignments. Those that have not ended are taken to end now. */
export interface StoredThread {
  id: string;
  groupIds: number[];
  createdAt: number;
  continuous: boolean;
  /** In chronological order. */
  queueEntries: StoredQueueEntry[];
  assignments: StoredAssignment[];
}

export interface ReplayInput extends SimulationResult {
  chats: SimulatedChat[];
  /** Threads that never went through routing. */
  unrouted: number;
}

/** The rules that routing writes. Any other rule means that a person chose the agent. */
const ROUTED = new Set(['only_candidate', 'lowest_load', 'longest_waiting', 'login_order', 'bot_first']);

const lengthOf = ({ from, to }: Interval): number => Math.max(to - from, 0);
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
const covers = ({ from, to }: Interval, at: number): boolean => from <= at && at < to;
const clip = (one: Interval, { from, to }: Interval): Interval => ({
  from: Math.max(one.from, from),
  to: Math.min(one.to, to),
});

const heldMs = (assignments: StoredAssignment[], byBot: boolean, from: number): number =>
  sum(
    assignments
      .filter((one) => one.byBot === byBot)
      .map(({ to, ...one }) => lengthOf({ from: Math.max(one.from, from), to })),
  );

/** The work of chats that no agent answered is unknown and estimated later. */
const readChat = (thread: StoredThread, window: Interval): (SimulatedChat & { isWorkKnown: boolean }) | undefined => {
  const { queueEntries, assignments, id, continuous } = thread;
  const [entry, assignment] = [queueEntries[0], assignments[0]];
  const waitedFirst = entry !== undefined && (assignment === undefined || entry.from <= assignment.from);
  const arrivedAt = waitedFirst ? entry.from : assignment!.from;
  const carriedOver = arrivedAt < window.from;
  const holder = carriedOver ? assignments.find((one) => covers(one, window.from)) : undefined;
  const current = carriedOver ? queueEntries.find((one) => covers(one, window.from)) : undefined;
  if (carriedOver && !holder && !current) return undefined;
  const countFrom = Math.max(arrivedAt, window.from);
  const last = queueEntries.at(-1);
  const arrivesAt = current?.from ?? arrivedAt;
  const leftAfterMs = assignments.length === 0 && last?.outcome ? last.to - arrivesAt : undefined;
  const chosen = !waitedFirst && !ROUTED.has(assignment!.rule) ? assignment!.agentId : undefined;
  return {
    id,
    continuous,
    carriedOver,
    groupIds: (current ?? (waitedFirst ? entry : assignment!)).groupIds,
    arrivesAt,
    priority: (current ?? entry)?.priority ?? 0,
    botMs: heldMs(assignments, true, countFrom),
    workMs: heldMs(assignments, false, countFrom),
    isWorkKnown: assignments.some(({ to }) => to > countFrom),
    patienceMs: leftAfterMs,
    presetAgentId: carriedOver ? holder?.agentId : chosen,
  };
};

const readOutcome = (
  { id, queueEntries, assignments }: StoredThread,
  { groupIds }: SimulatedChat,
  window: Interval,
): Outcome => {
  const answers = assignments.filter(({ from }) => from < window.to);
  const waits = queueEntries.filter(({ from }) => from < window.to);
  const last = waits.at(-1);
  const hasLeft = last !== undefined && last.outcome !== null && last.to < window.to;
  return {
    chatId: id,
    groupIds,
    status: answers.length > 0 ? 'answered' : hasLeft ? 'left' : 'waiting',
    queued: waits.length > 0,
    waitMs: sum(waits.map((one) => lengthOf(clip(one, window)))),
    agentId: answers[0]?.agentId,
  };
};

const medianWork = (chats: SimulatedChat[]): number => {
  const measured = chats.map(({ workMs }) => workMs).sort((one, other) => one - other);
  return measured[Math.floor(measured.length / 2)] ?? 0;
};

/** Estimates the work of unanswered chats as the median of chats of the same groups. */
const estimateMissingWork = (chats: (SimulatedChat & { isWorkKnown: boolean })[]): SimulatedChat[] => {
  const keyOf = ({ groupIds }: SimulatedChat): string => groupIds.join();
  const measured = chats.filter(({ isWorkKnown, carriedOver, workMs }) => isWorkKnown && !carriedOver && workMs > 0);
  const byGroups = new Map([...Map.groupBy(measured, keyOf)].map(([key, some]) => [key, medianWork(some)]));
  const overall = medianWork(measured);
  return chats.map(({ isWorkKnown, ...chat }) =>
    isWorkKnown ? chat : { ...chat, workMs: byGroups.get(keyOf(chat)) ?? overall },
  );
};

/** Derives from history both the actual result and the arrivals that a simulation replays. */
export const readHistory = (threads: StoredThread[], window: Interval): ReplayInput => {
  const routed = threads.filter(({ queueEntries, assignments }) => queueEntries.length + assignments.length > 0);
  const read = routed.flatMap((thread) => {
    const chat = readChat(thread, window);
    return chat ? [{ thread, chat }] : [];
  });
  const outcomes = read
    .filter(({ chat }) => !chat.carriedOver)
    .map(({ thread, chat }) => readOutcome(thread, chat, window));
  const workIntervals: WorkInterval[] = read.flatMap(({ thread }) =>
    thread.assignments
      .map(({ agentId, ...span }) => ({ chatId: thread.id, agentId, ...clip(span, window) }))
      .filter(({ from, to }) => from < to),
  );
  const unrouted = threads.length - routed.length;
  return { chats: estimateMissingWork(read.map(({ chat }) => chat)), outcomes, workIntervals, unrouted };
};
