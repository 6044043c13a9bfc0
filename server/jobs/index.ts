import type { VerifiedEmailCallback } from './notify-email-verified.ts';

/** All jobs that pg-boss runs, and the data of each. */
export interface Jobs {
  'notify-email-verified': VerifiedEmailCallback;
  'mail-password-resets': { login: string };
  'mail-confirmations': { login: string };
  /** One run of a periodic task that is due every minute or less often. */
  'periodic-task': { task: string };
}

export type JobName = keyof Jobs;

export const jobNames: readonly JobName[] = [
  'notify-email-verified',
  'mail-password-resets',
  'mail-confirmations',
  'periodic-task',
];

/** Not retried when they fail. */
export const jobsWithoutRetry: readonly JobName[] = ['notify-email-verified'];
