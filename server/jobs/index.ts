import type { Mail } from '#server/ports/mail/mail.ts';
import type { VerifiedEmailCallback } from './call-back.ts';

/** All jobs that pg-boss runs, and the data of each. */
export interface Jobs {
  'send-mail': Omit<Mail, 'from'>;
  'call-back': VerifiedEmailCallback;
  'mail-password-resets': { login: string };
  /** One run of a periodic task that is due every minute or less often. */
  'periodic-task': { task: string };
}

export type JobName = keyof Jobs;

export const jobNames: readonly JobName[] = ['send-mail', 'call-back', 'mail-password-resets', 'periodic-task'];

/** Not retried when they fail. */
export const triedOnce: readonly JobName[] = ['call-back'];
