import { type Mail, MailRejectedError, type MailTransport } from '#server/ports/mail/mail.ts';
import type { JobLog } from './job-log.ts';

/** Hands one mail over. What can never succeed is logged and given up; anything else is tried again by the queue. */
export const sendMail =
  (mail: MailTransport, from: Mail['from'], log: JobLog) =>
  async (job: Omit<Mail, 'from'>): Promise<void> => {
    try {
      await mail.send({ ...job, from });
    } catch (error) {
      if (!(error instanceof MailRejectedError)) throw error;
      log.error({ err: error }, 'a mail was refused for good');
    }
  };
