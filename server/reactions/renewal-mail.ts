import { randomUUID } from 'node:crypto';
import type { FailedRenewal } from '#server/domain/partners/subscriptions/records.ts';
import type { Jobs } from '#server/jobs/index.ts';

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

export const renewalMail = ({
  to,
  clientName,
  reason,
  card,
  amountCents,
  nextChargeAt,
}: FailedRenewal): Jobs['send-mail'] => ({
  to,
  subject: nextChargeAt ? `A renewal could not be paid: ${dollars(amountCents)}` : 'A subscription has ended unpaid',
  text: `Hello ${to.name},\n\nthe subscription for ${clientName} could not be renewed: ${dollars(amountCents)} from ${card}. ${reason}.\n\n${
    nextChargeAt
      ? `We will try again on ${nextChargeAt.toISOString().slice(0, 10)}. The license works until then; give another card to pay at once.`
      : 'It is not tried again: the subscription is closed, and the license has expired unless it was paid for otherwise. Subscribe again to use it.'
  }\n`,
  messageId: `<${randomUUID()}@parley>`,
});
