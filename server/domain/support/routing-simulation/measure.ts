import type { Model, Outcome, OutcomeStatus, SimulationResult } from './model.ts';
import { type Capacity, capacityOf } from './occupancy.ts';

/** In milliseconds, of answered chats. */
export interface WaitStatistics {
  p50: number;
  p90: number;
  max: number;
  average: number;
}

export interface ChatCounts extends Record<OutcomeStatus, number> {
  chats: number;
  queued: number;
  /** Absent when no chat was answered. */
  wait?: WaitStatistics;
}

export interface Measures {
  all: ChatCounts;
  /** The share of the agents' total capacity that was used. */
  occupancy: number | null;
  /** Groups with at least one chat. A chat of several groups counts in each. */
  groups: (ChatCounts & { id: number; name: string })[];
  agents: { login: string; answered: number; occupancy: number | null }[];
}

/** The smallest value that is not exceeded by the given percentage of values. */
const percentile = (sorted: number[], percent: number): number =>
  sorted[Math.max(Math.ceil((percent / 100) * sorted.length) - 1, 0)]!;

const summarize = (waits: number[]): WaitStatistics => {
  const sorted = waits.toSorted((one, other) => one - other);
  const sum = sorted.reduce((total, wait) => total + wait, 0);
  return {
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    max: sorted.at(-1)!,
    average: Math.round(sum / sorted.length),
  };
};

const countChats = (outcomes: Outcome[]): ChatCounts => {
  const count = (status: OutcomeStatus): number => outcomes.filter((one) => one.status === status).length;
  const waits = outcomes.filter(({ status }) => status === 'answered').map(({ waitMs }) => waitMs);
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

const occupancyOf = ({ used, available }: Capacity): number | null => (available > 0 ? used / available : null);

export const measure = ({ outcomes, workIntervals }: SimulationResult, { agents, groups, window }: Model): Measures => {
  const byAgent = Map.groupBy(workIntervals, ({ agentId }) => agentId);
  const answers = Map.groupBy(outcomes, ({ agentId }) => agentId);
  const capacities = agents.map((agent) => capacityOf(agent, byAgent.get(agent.id) ?? [], window));
  const sum = capacities.reduce(
    (total, one) => ({ used: total.used + one.used, available: total.available + one.available }),
    {
      used: 0,
      available: 0,
    },
  );
  return {
    all: countChats(outcomes),
    occupancy: occupancyOf(sum),
    groups: groups
      .map(({ id, name }) => ({ id, name, ...countChats(outcomes.filter(({ groupIds }) => groupIds.includes(id))) }))
      .filter(({ chats }) => chats > 0),
    agents: agents.map(({ id }, at) => ({
      login: id,
      answered: answers.get(id)?.length ?? 0,
      occupancy: occupancyOf(capacities[at]!),
    })),
  };
};
