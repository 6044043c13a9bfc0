import type { ColumnType, Generated } from 'kysely';
import type { AgentStatus } from './agent-status.ts';

export type AgentKind = 'person' | 'bot';

export interface ShiftDay {
  enabled: boolean;
  /** `HH:mm` in the agent's time zone. */
  start: string;
  end: string;
}

/** By weekday, `sunday` to `saturday`. Missing days are days off. */
export type WorkSchedule = Partial<Record<string, ShiftDay>>;

/** How a chat left the queue. */
export type QueueOutcome = 'assigned' | 'left' | 'closed';

export interface QueueEntriesTable {
  organizationId: string;
  id: Generated<number>;
  chatId: string;
  threadId: string;
  groupIds: number[];
  priority: number;
  enteredAt: Date;
  leftAt: Date | null;
  outcome: QueueOutcome | null;
}

/** A candidate for the assignment, with its load at that time. */
export interface Candidate {
  agentId: string;
  open: number;
  limit: number;
  /** When the agent was last assigned a chat, if ever. */
  lastAssignedAt?: string;
}

export interface AssignmentsTable {
  organizationId: string;
  id: Generated<number>;
  chatId: string;
  threadId: string;
  agentId: string;
  rule: string;
  candidates: ColumnType<Candidate[], string, string>;
  groupIds: number[];
  assignedAt: Date;
  endedAt: Date | null;
}

export interface AgentConnectionsTable {
  organizationId: string;
  id: string;
  agentId: string;
  away: Generated<boolean>;
  connectedAt: Date;
  aliveUntil: Date;
}

export interface AgentStatusChangesTable {
  organizationId: string;
  id: Generated<number>;
  agentId: string;
  status: AgentStatus;
  reason: string;
  changedAt: Date;
}

export interface ChatFollowersTable {
  organizationId: string;
  chatId: string;
  agentId: string;
}

export interface CustomerFollowersTable {
  organizationId: string;
  customerId: string;
  agentId: string;
}
