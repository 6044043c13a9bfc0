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

/** How a chat began: by a greeting, by an agent who wrote first, or by the customer alone. */
export type Engagement = 'auto_invite' | 'manual_invite' | 'immediate_start';

/** One thread as the archive keeps it: who talked, when, about what, and how it was rated. */
export interface ArchivedChat {
  /** The id of the thread. */
  id: string;
  chatId: string;
  /** It ended, and no agent had come. */
  missed: boolean;
  visitor: {
    /** What its own program calls it, else the customer's id. */
    id: string;
    name?: string;
    ip?: string;
    userAgent?: string;
    timezone?: string;
    place?: Place;
  };
  agents: ArchivedAgent[];
  /** Who was there for agents only. */
  supervisors: ArchivedAgent[];
  groupIds: number[];
  tags: string[];
  rating?: 'good' | 'bad';
  startUrl?: string;
  referrer?: string;
  startedAt: Date;
  /** Absent while the chat goes on. */
  endedAt?: Date;
  /** Until now, while the chat goes on. */
  durationSeconds: number;
  /** How long it waited before an agent took it; absent when it did not. */
  queueSeconds?: number;
  engagement: Engagement;
  customVariables: { key: string; value: string }[];
  goals: ReachedGoal[];
  /** With the notes that agents keep among themselves: this is for agents only. */
  events: EventRecord[];
}

export interface ArchivePage {
  items: ArchivedChat[];
  /** Within reach. */
  total: number;
  pages: number;
  /** The zone the asked days were read in. */
  timeZone: string;
}

export interface TranscriptLine {
  /** `YYYY-MM-DD HH:mm:ss` */
  at: string;
  author: string;
  text: string;
}

/** A chat on its way to a mailbox. */
export interface Transcript {
  to: string;
  /** `YYYY-MM-DD` */
  date: string;
  timeZone: string;
  visitor: string;
  agents: string[];
  lines: TranscriptLine[];
  /** There was more than a mail should carry. */
  shortened: boolean;
}
