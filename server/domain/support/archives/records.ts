import type { Sale } from '#server/storage/tables/goals.ts';
import type { Place } from '#server/storage/tables/visits.ts';
import type { EventRecord } from '../chats/records.ts';

export interface ArchivedAgent {
  login: string;
  name: string;
}

export interface ReachedGoal {
  id: number;
  name: string;
  type: string;
  reachedAt: Date;
  sale?: Sale;
}

/** How a chat started: by an accepted greeting, by an agent, or by the customer. */
export type Engagement = 'auto_invite' | 'manual_invite' | 'immediate_start';

/** One thread with its participants, events, rating and context. */
export interface ArchivedChat {
  /** The id of the thread. */
  id: string;
  chatId: string;
  /** It ended without an agent. */
  missed: boolean;
  visitor: {
    /** The id in the integrator's system, or else the customer id. */
    id: string;
    name?: string;
    ip?: string;
    userAgent?: string;
    timezone?: string;
    place?: Place;
  };
  agents: ArchivedAgent[];
  /** Agents invisible to the customer. */
  supervisors: ArchivedAgent[];
  groupIds: number[];
  tags: string[];
  rating?: 'good' | 'bad';
  startUrl?: string;
  referrer?: string;
  startedAt: Date;
  /** Absent while the chat is active. */
  endedAt?: Date;
  /** Until now while the chat is active. */
  durationSeconds: number;
  /** The wait in the queue before the first assignment; absent if there was none. */
  queueSeconds?: number;
  engagement: Engagement;
  customVariables: { key: string; value: string }[];
  goals: ReachedGoal[];
  /** Includes notes, so only agents may see it. */
  events: EventRecord[];
}

export interface ArchivePage {
  items: ArchivedChat[];
  /** Limited to what can be reached by paging. */
  total: number;
  pages: number;
  /** The zone in which the requested days were interpreted. */
  timeZone: string;
}

export interface TranscriptLine {
  /** `YYYY-MM-DD HH:mm:ss` */
  at: string;
  author: string;
  text: string;
}

/** The content of a transcript email. */
export interface Transcript {
  to: string;
  /** `YYYY-MM-DD` */
  date: string;
  timeZone: string;
  visitor: string;
  agents: string[];
  lines: TranscriptLine[];
  /** Whether lines were omitted because of the size limit. */
  shortened: boolean;
}
