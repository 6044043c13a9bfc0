import type { AgentKind } from '#server/storage/tables/routing.ts';
import type { FloorGroup } from '../floor.ts';

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
  /** When it takes chats: in order, without overlaps. */
  accepting: Interval[];
  /** When it is gone and whatever it has open goes back to the queue. */
  goneAt: number[];
  /** Before the time that is looked at. */
  lastAssignedAt?: string | undefined;
}

export interface SimulatedGroup extends FloorGroup {
  name: string;
}

/** One thread, from its arrival to the end of the work that it makes. */
export interface SimulatedChat {
  id: string;
  groupIds: number[];
  arrivesAt: number;
  priority: number;
  /** How long bots and people have it open. */
  botMs: number;
  workMs: number;
  /** How long the customer waits for a first answer; absent: as long as it takes. */
  patienceMs?: number | undefined;
  /** It may be started although nobody takes chats. */
  continuous: boolean;
  /** Somebody's own choice, not the routing's: this agent has it from the start. */
  heldBy?: string | undefined;
  /** It was there before the time that is looked at: it takes a place, but is not counted. */
  carriedOver: boolean;
}

export interface Model {
  window: Interval;
  agents: SimulatedAgent[];
  groups: SimulatedGroup[];
  /** In any order. */
  chats: SimulatedChat[];
}

export type Fate = 'answered' | 'left' | 'refused' | 'waiting';

export interface Outcome {
  chatId: string;
  groupIds: number[];
  fate: Fate;
  queued: boolean;
  /** All of its time in the queue. */
  waitMs: number;
  /** Who answered first. */
  agentId?: string | undefined;
}

/** An agent had a chat open. */
export interface Stint extends Interval {
  agentId: string;
  chatId: string;
}

/** What became of the chats, really or in a replay. */
export interface Course {
  outcomes: Outcome[];
  stints: Stint[];
}
