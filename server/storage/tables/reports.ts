/** A quarter hour, an hour, four hours, or a day in UTC. */
export type Resolution = 'q' | 'h' | 'f' | 'd';

export type Engagement = 'auto_invite' | 'manual_invite' | 'immediate_start';

/** The work of an agent, or of all agents, in a chat. */
interface Work {
  /** The time of the first response in the chat, if it is this agent's. */
  firstResponseMs: number | null;
  responses: number;
  responseMs: number;
  chattingMs: number;
}

export interface ChatFactsTable extends Work {
  organizationId: string;
  threadId: string;
  startedAt: Date;
  groupIds: number[];
  tags: string[];
  engagement: Engagement;
  rating: 'good' | 'bad' | null;
  /** Whether a person replied. */
  replied: boolean;
  /** The greeting that led to the chat. */
  greetingDisplayId: string | null;
}

export interface ChatAgentFactsTable extends Work {
  organizationId: string;
  threadId: string;
  agentId: string;
  startedAt: Date;
}

/** The sums over chats. */
export interface ChatSums {
  chats: number;
  autoInvites: number;
  manualInvites: number;
  good: number;
  bad: number;
  notReplied: number;
  firstResponses: number;
  firstResponseMs: number;
  responses: number;
  responseMs: number;
  chattingMs: number;
}

export interface ChatRollupsTable extends ChatSums {
  organizationId: string;
  /** Empty for all chats, or else `g` + group id, `a` + login or `t` + tag. */
  dimension: string;
  resolution: Resolution;
  at: Date;
}

/** The times in which any agent was accepting chats, computed up to {@link AvailabilityMaterializedTable}. */
export interface AvailabilitySpansTable {
  organizationId: string;
  startedAt: Date;
  endedAt: Date;
}

export interface AvailabilityMaterializedTable {
  organizationId: string;
  until: Date;
}

/** The maximum number of simultaneously assigned chats per quarter hour, computed up to {@link OccupancyMaterializedTable}. */
export interface OccupancyQuartersTable {
  organizationId: string;
  at: Date;
  maxChats: number;
}

export interface OccupancyMaterializedTable {
  organizationId: string;
  until: Date;
}
