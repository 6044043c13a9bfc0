import { type Mail, MailRejectedError, type MailTransport } from '#server/ports/mail/mail.ts';
import type { JobLog } from './job-log.ts';

/** Sends one mail. A permanent rejection is logged and not retried; the queue retries all other errors. */
export const sendMail =
  (mail: MailTransport, from: Mail['from'], log: JobLog) =>
  async (job: Omit<Mail, 'from'>): Promise<void> => {
    try {
      await mail.send({ ...job, from });
    } catch (error) {
      if (!(error instanceof MailRejectedError)) throw error;
      log.error({ err: error }, 'mail rejected permanently');
    }
  };
