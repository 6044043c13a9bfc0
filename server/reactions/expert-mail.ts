import { randomUUID } from 'node:crypto';
import type { ExpertMessage } from '#server/domain/partners/experts/records.ts';
import type { Jobs } from '#server/jobs/index.ts';

/** Goes to the expert only; the sender chooses neither the address nor the subject. */
export const expertMail = ({ to, name, email, text }: ExpertMessage): Jobs['send-mail'] => ({
  to,
  subject: 'A message through your expert profile',
  text: `Hello ${to.name},\n\n${name} <${email}> wrote to you through your expert profile:\n\n${text}\n\nAnswer to ${email}, if you like: this mail does not tell them yours.\n`,
  messageId: `<${randomUUID()}@parley>`,
});
