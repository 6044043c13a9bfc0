export interface QueuePosition {
  /** Counts from 1 among chats that wait for the same groups. */
  position: number;
  /** An estimate in seconds. */
  waitTime: number;
  queuedAt: Date;
}

export type TransferTarget = { type: 'agent'; ids: string[] } | { type: 'group'; ids: number[] };
