import type { JobName, Jobs, Nothing } from './index.ts';

type Timed = { [N in JobName]: Jobs[N] extends Nothing ? N : never }[JobName];

/** What is done again and again, and how often. */
export const timetable: readonly { name: Timed; everySeconds: number }[] = [
  { name: 'remove-expired-files', everySeconds: 600 },
  { name: 'remove-expired-tokens', everySeconds: 3600 },
  { name: 'keep-reports', everySeconds: 60 },
  { name: 'close-statements', everySeconds: 3600 },
  { name: 'keep-milestones', everySeconds: 60 },
  { name: 'renew-subscriptions', everySeconds: 60 },
];

/** Nothing on it is done more often than that. */
export const POLL_INTERVAL_MS = 60_000;
