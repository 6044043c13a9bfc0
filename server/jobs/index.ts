import type { Mail } from '#server/ports/mail/mail.ts';
import type { VerifiedEmailCallback } from './call-back.ts';

/** What needs to be known about work that comes by the timetable. */
export type Nothing = Record<string, never>;

/** All work that happens later, and what each piece of it needs to know. */
export interface Jobs {
  'send-mail': Omit<Mail, 'from'>;
  'call-back': VerifiedEmailCallback;
  'mail-password-resets': { login: string };
  'remove-expired-files': Nothing;
  'remove-expired-tokens': Nothing;
  'keep-reports': Nothing;
  'close-statements': Nothing;
  'keep-milestones': Nothing;
  'renew-subscriptions': Nothing;
}

export type JobName = keyof Jobs;

export const jobNames: readonly JobName[] = [
  'send-mail',
  'call-back',
  'mail-password-resets',
  'remove-expired-files',
  'remove-expired-tokens',
  'keep-reports',
  'close-statements',
  'keep-milestones',
  'renew-subscriptions',
];

/** Tried once, whatever becomes of it. */
export const triedOnce: readonly JobName[] = ['call-back'];
