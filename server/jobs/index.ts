import type { Mail } from '#server/ports/mail/mail.ts';

/** All work that happens later, and what each piece of it needs to know. */
export interface Jobs {
  'send-mail': Omit<Mail, 'from'>;
}

export type JobName = keyof Jobs;

export const jobNames: readonly JobName[] = ['send-mail'];
