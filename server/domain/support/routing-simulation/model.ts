import type { AgentKind } from '#server/storage/tables/routing.ts';
import type { RoutableGroup } from '../routing/routing-snapshot.ts';

/** Half-open, in milliseconds since 1970. */
export interface Interval {
  from: number;
  to: number;
}

export interface SimulatedAgent {
  id: string;
  kind: AgentKind;
  limit: number;
  groupIds: number[];
  /** When the agent accepts chats: in order, without overlaps. */
  accepting: Interval[];
  /** When the agent goes offline and its open chats return to the queue. */
  offlineAt: number[];
  /** Before the simulated window. */
  lastAssignedAt?: string | undefined;
}

export interface SimulatedGroup extends RoutableGroup {
  name: string;
}

/** One thread, from its arrival to the end of the work it causes. */
export interface SimulatedChat {
  id: string;
  groupIds: number[];
  arrivesAt: number;
  priority: number;
  /** How long the chat is open with bots and with people. */
  botMs: number;
  workMs: number;
  /** How long the customer waits for a first answer before leaving; absent: indefinitely. */
  patienceMs?: number | undefined;
  /** The chat may start while all agents are offline. */
  continuous: boolean;
  /** The agent whom a person, not routing, chose at the start. */
  presetAgentId?: string | undefined;
  /** The chat started before the window: it uses capacity but is not counted. */
  carriedOver: boolean;
}

export interface Model {
  window: Interval;
  agents: SimulatedAgent[];
  groups: SimulatedGroup[];
  /** In any order. */
  chats: SimulatedChat[];
}

export type OutcomeStatus = 'answered' | 'left' | 'refused' | 'waiting';

export interface Outcome {
  chatId: string;
  groupIds: number[];
  status: OutcomeStatus;
  queued: boolean;
  /** Total time in the queue. */
  waitMs: number;
  /** The agent who answered first. */
  agentId?: string | undefined;
}

/** An interval in which an agent had a chat open. */
export interface WorkInterval extends Interval {
  agentId: string;
  chatId: string;
}

/** The actual result of a period, or that of a replay. */
export interface SimulationResult {
  outcomes: Outcome[];
  workIntervals: WorkInterval[];
}
