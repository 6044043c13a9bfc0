/** A quarter of an hour, an hour, four hours, or a day, of UTC. */
export type Resolution = 'q' | 'h' | 'f' | 'd';

export type Engagement = 'auto_invite' | 'manual_invite' | 'immediate_start';

/** What somebody did in a chat. */
interface Work {
  /** The first answer of the chat, when it was this one's. */
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
  /** A person answered. */
  replied: boolean;
  /** The greeting it came of. */
  greetingDisplayId: string | null;
}

export interface ChatAgentFactsTable extends Work {
  organizationId: string;
  threadId: string;
  agentId: string;
  startedAt: Date;
}

/** What is added up of chats. */
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
  /** Empty for all chats, else `g` and a group, `a` and a login, `t` and a tag. */
  dimension: string;
  resolution: Resolution;
  at: Date;
}

/** When anybody took chats, before what is told by {@link AvailabilitySettledTable}. */
export interface AvailabilitySpansTable {
  organizationId: string;
  startedAt: Date;
  endedAt: Date;
}

export interface AvailabilitySettledTable {
  organizationId: string;
  until: Date;
}

/** The most chats that people answered at once, before what is told by {@link OccupancySettledTable}. */
export interface OccupancyQuartersTable {
  organizationId: string;
  at: Date;
  most: number;
}

export interface OccupancySettledTable {
  organizationId: string;
  until: Date;
}
