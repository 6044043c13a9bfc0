import type { EventRecord } from '../chats/records.ts';

/** One thread as the archive keeps it: who talked, when, about what, and how it was rated. */
export interface ArchivedChat {
  /** The id of the thread. */
  id: string;
  customer: { id: string; name?: string };
  agents: { login: string; name: string }[];
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
  /** What the customer could see too: agents' private notes are no part of the archive. */
  events: EventRecord[];
}

export interface ArchivePage {
  items: ArchivedChat[];
  total: number;
  pages: number;
  /** The zone the asked days were read in. */
  timeZone: string;
}
