export interface QueuePlace {
  /** From 1, among those who wait for the same groups. */
  position: number;
  /** Seconds, as far as one can tell. */
  waitTime: number;
  queuedAt: Date;
}

export type TransferTarget = { type: 'agent'; ids: string[] } | { type: 'group'; ids: number[] };
