import { createDesks, type Desk } from './desks.ts';
import { createHeap } from './heap.ts';
import { createLine } from './line.ts';
import type { Course, Interval, Model, SimulatedAgent, Stint } from './model.ts';
import { handedOver, mustHandOver, openVisit, type Visit, workOf } from './visit.ts';

/** What happens at the same instant happens in this order: whoever could still be answered is. */
const RANK = { status: 0, gone: 1, end: 2, held: 3, arrival: 4, leaving: 5 };
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

/** Within the window; shifts that touch are one. */
const statusChanges = ({ accepting }: SimulatedAgent, { from, to }: Interval): { at: number; accepting: boolean }[] =>
  accepting
    .filter((shift) => shift.to > from && shift.from < to && shift.from < shift.to)
    .flatMap((shift) => [
      { at: Math.max(shift.from, from), accepting: true },
      { at: shift.to, accepting: false },
    ]);

/**
 * Lets the chats arrive again and gives each to whom the server's own rule chooses. Nothing is left to chance: the same
 * model always takes the same course.
 */
export const simulate = ({ window, agents, groups, chats }: Model): Course => {
  const desks = createDesks(agents, groups);
  const line = createLine<Visit>();
  const steps = createHeap(isEarlier);
  const inHand = new Map<Desk, Set<Visit>>();
  const stints: Stint[] = [];
  let planned = 0;
  let now = window.from;

  const plan = (at: number, rank: number, act: () => void): void => {
    planned += 1;
    if (at < window.to) steps.push({ at, rank, order: planned, act });
  };

  const closeStint = ({ chat, desk, since }: Visit): void =>
    void stints.push({ chatId: chat.id, agentId: desk!.id, from: since, to: now });

  const release = (visit: Visit): Desk => {
    closeStint(visit);
    const desk = visit.desk!;
    inHand.get(desk)!.delete(visit);
    desk.open -= 1;
    visit.desk = undefined;
    return desk;
  };

  const assign = (visit: Visit, desk: Desk): void => {
    visit.outcome.fate = 'answered';
    visit.outcome.agentId ??= desk.id;
    desk.open += 1;
    desk.lastAssignedAt = new Date(now).toISOString();
    const held = inHand.get(desk) ?? new Set();
    inHand.set(desk, held.add(visit));
    visit.turn += 1;
    const { turn } = visit;
    Object.assign(visit, { desk, since: now, endsAt: now + workOf(visit, desk), leftMs: undefined });
    plan(visit.endsAt, RANK.end, () => visit.turn === turn && visit.desk && end(visit));
  };

  const route = (visit: Visit, priority: number): void => {
    const desk = desks.choose(visit.kind);
    if (desk) assign(visit, desk);
    else {
      visit.outcome.queued = true;
      line.enter(Object.assign(visit, { priority, gone: false }));
    }
  };

  const routeAgain = (visit: Visit, priority: number): void =>
    route(Object.assign(visit, { enteredAt: now }), priority);

  const answer = (visit: Visit): void => {
    visit.outcome.waitMs += now - visit.enteredAt;
    assign(visit, desks.choose(visit.kind)!);
  };

  // Whoever waits has nobody with room, so a place that becomes free can only help those whom its agent serves.
  const serve = (desk: Desk): void => {
    while (desks.hasRoom(desk)) {
      const next = line.takeFirst((kind) => desks.serves(desk, kind));
      if (!next) return;
      answer(next);
    }
  };

  const serveAll = (): void => {
    for (;;) {
      const next = line.takeFirst((kind) => desks.choose(kind) !== undefined);
      if (!next) return;
      answer(next);
    }
  };

  const end = (visit: Visit): void => {
    const desk = release(visit);
    if (mustHandOver(visit, desk)) routeAgain(Object.assign(visit, { kind: handedOver(visit) }), TRANSFERRED);
    serve(desk);
  };

  const sendBack = (desk: Desk): void => {
    for (const visit of [...(inHand.get(desk) ?? [])].filter(({ endsAt }) => endsAt > now)) {
      release(visit);
      routeAgain(Object.assign(visit, { leftMs: visit.endsAt - now }), RETURNING);
    }
  };

  const arrive = (visit: Visit): void => {
    const { chat, outcome, kind } = visit;
    const holder = chat.heldBy === undefined ? undefined : desks.all.get(chat.heldBy);
    if (holder) assign(visit, holder);
    else if (chat.continuous || chat.carriedOver || desks.isOnline(kind)) route(visit, chat.priority);
    else outcome.fate = 'refused';
    if (visit.gone || chat.patienceMs === undefined) return;
    plan(Math.max(now, chat.arrivesAt + chat.patienceMs), RANK.leaving, () => {
      if (visit.gone || visit.turn > 0) return;
      visit.gone = true;
      Object.assign(outcome, { fate: 'left', waitMs: now - visit.enteredAt });
    });
  };

  for (const desk of desks.all.values()) {
    for (const { at, accepting } of statusChanges(desk.agent, window)) {
      plan(at, RANK.status, () => {
        desks.setAccepting(desk, accepting);
        serveAll();
      });
    }
    for (const at of desk.agent.goneAt) if (at >= window.from) plan(at, RANK.gone, () => sendBack(desk));
  }
  const inOrder = [...chats].sort((one, other) => one.arrivesAt - other.arrivesAt || (one.id < other.id ? -1 : 1));
  const visits = inOrder.map(openVisit);
  for (const visit of visits) {
    const { arrivesAt, heldBy } = visit.chat;
    plan(Math.max(arrivesAt, window.from), heldBy === undefined ? RANK.arrival : RANK.held, () => arrive(visit));
  }

  for (let step = steps.pop(); step; step = steps.pop()) {
    now = step.at;
    step.act();
  }
  now = window.to;
  for (const visit of visits) {
    if (visit.desk) closeStint(visit);
    else if (!visit.gone) visit.outcome.waitMs += now - visit.enteredAt;
  }
  return { outcomes: visits.filter(({ chat }) => !chat.carriedOver).map(({ outcome }) => outcome), stints };
};
