import { afterAll } from 'vitest';
import { openTarget } from './index.ts';
import { startMailbox } from './mailbox.ts';

/** The server for all rows, and the mail server that receives its emails. */
export const mailbox = await startMailbox();
export const target = await openTarget({ SMTP_URL: mailbox.url });

afterAll(async () => {
  await target.close();
  await mailbox.close();
});
