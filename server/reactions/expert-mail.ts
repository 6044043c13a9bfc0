import { randomUUID } from 'node:crypto';
import type { ExpertMessage } from '#server/domain/partners/experts/records.ts';
import type { OutgoingMail } from '#server/jobs/mail-queue.ts';

/** Goes to the expert only; the sender chooses neither the address nor the subject. */
export const expertMail = ({ to, name, email, text }: ExpertMessage): OutgoingMail => ({
  to,
  subject: 'New message from your expert profile',
  text: `Hello ${to.name},\n\n${name} <${email}> sent you a message through your expert profile:\n\n${text}\n\nTo reply, write to ${email}. Your address has not been shared.\n`,
  messageId: `<${randomUUID()}@parley>`,
});
