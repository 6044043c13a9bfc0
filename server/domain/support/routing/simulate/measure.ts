import type { Course, Fate, Model, Outcome } from './model.ts';
import { occupancyOf, type Places } from './occupancy.ts';

/** In milliseconds, of those who were answered. */
export interface Waits {
  p50: number;
  p90: number;
  max: number;
  average: number;
}

export interface Tally extends Record<Fate, number> {
  chats: number;
  queued: number;
  /** Absent when nobody was answered. */
  wait?: Waits;
}

export interface Measures {
  all: Tally;
  /** Of the places of all agents, the part that was taken. */
  occupancy: number | null;
  /** Those with chats. A chat of several groups counts in each. */
  groups: (Tally & { id: number; name: string })[];
  agents: { login: string; answered: number; occupancy: number | null }[];
}

/** The smallest value that so many percent do not exceed. */
const percentile = (sorted: number[], percent: number): number =>
  sorted[Math.max(Math.ceil((percent / 100) * sorted.length) - 1, 0)]!;

const summarize = (waits: number[]): Waits => {
  const sorted = waits.toSorted((one, other) => one - other);
  const sum = sorted.reduce((total, wait) => total + wait, 0);
  return {
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    max: sorted.at(-1)!,
    average: Math.round(sum / sorted.length),
  };
};

const tally = (outcomes: Outcome[]): Tally => {
  const count = (fate: Fate): number => outcomes.filter((one) => one.fate === fate).length;
  const waits = outcomes.filter(({ fate }) => fate === 'answered').map(({ waitMs }) => waitMs);
  return {
    chats: outcomes.length,
    answered: count('answered'),
    queued: outcomes.filter(({ queued }) => queued).length,
    left: count('left'),
    refused: count('refused'),
    waiting: count('waiting'),
    ...(waits.length > 0 ? { wait: summarize(waits) } : {}),
  };
};

const share = ({ taken, there }: Places): number | null => (there > 0 ? taken / there : null);

/** Puts numbers to a course. */
export const measure = ({ outcomes, stints }: Course, { agents, groups, window }: Model): Measures => {
  const byAgent = Map.groupBy(stints, ({ agentId }) => agentId);
  const answers = Map.groupBy(outcomes, ({ agentId }) => agentId);
  const places = agents.map((agent) => occupancyOf(agent, byAgent.get(agent.id) ?? [], window));
  const sum = places.reduce((total, one) => ({ taken: total.taken + one.taken, there: total.there + one.there }), {
    taken: 0,
    there: 0,
  });
  return {
    all: tally(outcomes),
    occupancy: share(sum),
    groups: groups
      .map(({ id, name }) => ({ id, name, ...tally(outcomes.filter(({ groupIds }) => groupIds.includes(id))) }))
      .filter(({ chats }) => chats > 0),
    agents: agents.map(({ id }, at) => ({
      login: id,
      answered: answers.get(id)?.length ?? 0,
      occupancy: share(places[at]!),
    })),
  };
};
