import { createChatQueue } from './chat-queue.ts';
import { createHeap } from './heap.ts';
import type { Interval, Model, SimulatedAgent, SimulationResult, WorkInterval } from './model.ts';
import { handedOver, mustHandOver, type ReplayedChat, startReplay, workOf } from './replayed-chat.ts';
import { createWorkforce, type WorkingAgent } from './workforce.ts';

/** The order of steps at the same instant: chats that can still be answered are answered. */
const RANK = { status: 0, offline: 1, end: 2, preset: 3, arrival: 4, leaving: 5 };
const RETURNING = 1;
const TRANSFERRED = 2;

interface Step {
  at: number;
  rank: number;
  order: number;
  act(): void;
}

const isEarlier = (one: Step, other: Step): boolean =>
  one.at !== other.at ? one.at < other.at : one.rank !== other.rank ? one.rank < other.rank : one.order < other.order;

/** Limited to the window. */
const statusChanges = ({ accepting }: SimulatedAgent, { from, to }: Interval): { at: number; accepting: boolean }[] =>
  accepting
    .filter((shift) => shift.to > from && shift.from < to && shift.from < shift.to)
    .flatMap((shift) => [
      { at: Math.max(shift.from, from), accepting: true },
      { at: shift.to, accepting: false },
    ]);

/** Replays the arrivals and assigns each chat with the server's own rules. The result is deterministic. */
export const simulate = ({ window, agents, groups, chats }: Model): SimulationResult => {
  const workforce = createWorkforce(agents, groups);
  const queue = createChatQueue<ReplayedChat>();
  const steps = createHeap(isEarlier);
  const openChats = new Map<WorkingAgent, Set<ReplayedChat>>();
  const workIntervals: WorkInterval[] = [];
  let scheduledSteps = 0;
  let now = window.from;

  const schedule = (at: number, rank: number, act: () => void): void => {
    scheduledSteps += 1;
    if (at < window.to) steps.push({ at, rank, order: scheduledSteps, act });
  };

  const endWork = ({ chat, worker, since }: ReplayedChat): void =>
    void workIntervals.push({ chatId: chat.id, agentId: worker!.id, from: since, to: now });

  const release = (replayed: ReplayedChat): WorkingAgent => {
    endWork(replayed);
    const worker = replayed.worker!;
    openChats.get(worker)!.delete(replayed);
    worker.open -= 1;
    replayed.worker = undefined;
    return worker;
  };

  const assign = (replayed: ReplayedChat, worker: WorkingAgent): void => {
    replayed.outcome.status = 'answered';
    replayed.outcome.agentId ??= worker.id;
    worker.open += 1;
    worker.lastAssignedAt = new Date(now).toISOString();
    const held = openChats.get(worker) ?? new Set();
    openChats.set(worker, held.add(replayed));
    replayed.assignmentCount += 1;
    const { assignmentCount } = replayed;
    Object.assign(replayed, { worker, since: now, endsAt: now + workOf(replayed, worker), remainingMs: undefined });
    schedule(
      replayed.endsAt,
      RANK.end,
      () => replayed.assignmentCount === assignmentCount && replayed.worker && end(replayed),
    );
  };

  const route = (replayed: ReplayedChat, priority: number): void => {
    const worker = workforce.choose(replayed.kind);
    if (worker) assign(replayed, worker);
    else {
      replayed.outcome.queued = true;
      queue.enter(Object.assign(replayed, { priority, isGone: false }));
    }
  };

  const reroute = (replayed: ReplayedChat, priority: number): void =>
    route(Object.assign(replayed, { enteredAt: now }), priority);

  const answer = (replayed: ReplayedChat): void => {
    replayed.outcome.waitMs += now - replayed.enteredAt;
    assign(replayed, workforce.choose(replayed.kind)!);
  };

  // Queued chats have no agent with room, so a freed slot can only help the chats that this agent serves.
  const serve = (worker: WorkingAgent): void => {
    while (workforce.hasRoom(worker)) {
      const next = queue.takeFirst((kind) => workforce.serves(worker, kind));
      if (!next) return;
      answer(next);
    }
  };

  const serveAll = (): void => {
    for (;;) {
      const next = queue.takeFirst((kind) => workforce.choose(kind) !== undefined);
      if (!next) return;
      answer(next);
    }
  };

  const end = (replayed: ReplayedChat): void => {
    const worker = release(replayed);
    if (mustHandOver(replayed, worker)) reroute(Object.assign(replayed, { kind: handedOver(replayed) }), TRANSFERRED);
    serve(worker);
  };

  const sendBack = (worker: WorkingAgent): void => {
    for (const replayed of [...(openChats.get(worker) ?? [])].filter(({ endsAt }) => endsAt > now)) {
      release(replayed);
      reroute(Object.assign(replayed, { remainingMs: replayed.endsAt - now }), RETURNING);
    }
  };

  const arrive = (replayed: ReplayedChat): void => {
    const { chat, outcome, kind } = replayed;
    const holder = chat.presetAgentId === undefined ? undefined : workforce.all.get(chat.presetAgentId);
    if (holder) assign(replayed, holder);
    else if (chat.continuous || chat.carriedOver || workforce.isOnline(kind)) route(replayed, chat.priority);
    else outcome.status = 'refused';
    if (replayed.isGone || chat.patienceMs === undefined) return;
    schedule(Math.max(now, chat.arrivesAt + chat.patienceMs), RANK.leaving, () => {
      if (replayed.isGone || replayed.assignmentCount > 0) return;
      replayed.isGone = true;
      Object.assign(outcome, { status: 'left', waitMs: now - replayed.enteredAt });
    });
  };

  for (const worker of workforce.all.values()) {
    for (const { at, accepting } of statusChanges(worker.agent, window)) {
      schedule(at, RANK.status, () => {
        workforce.setAccepting(worker, accepting);
        serveAll();
      });
    }
    for (const at of worker.agent.offlineAt) if (at >= window.from) schedule(at, RANK.offline, () => sendBack(worker));
  }
  const inOrder = [...chats].sort((one, other) => one.arrivesAt - other.arrivesAt || (one.id < other.id ? -1 : 1));
  const replayedChats = inOrder.map(startReplay);
  for (const replayed of replayedChats) {
    const { arrivesAt, presetAgentId } = replayed.chat;
    schedule(Math.max(arrivesAt, window.from), presetAgentId === undefined ? RANK.arrival : RANK.preset, () =>
      arrive(replayed),
    );
  }

  for (let step = steps.pop(); step; step = steps.pop()) {
    now = step.at;
    step.act();
  }
  now = window.to;
  for (const replayed of replayedChats) {
    if (replayed.worker) endWork(replayed);
    else if (!replayed.isGone) replayed.outcome.waitMs += now - replayed.enteredAt;
  }
  return {
    outcomes: replayedChats.filter(({ chat }) => !chat.carriedOver).map(({ outcome }) => outcome),
    workIntervals,
  };
};
