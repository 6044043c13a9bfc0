import { randomUUID } from 'node:crypto';
import type { FailedRenewal } from '#server/domain/partners/subscriptions/records.ts';
import type { OutgoingMail } from '#server/jobs/mail-queue.ts';

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

export const renewalMail = ({
  to,
  clientName,
  reason,
  card,
  amountCents,
  nextChargeAt,
}: FailedRenewal): OutgoingMail => ({
  to,
  subject: nextChargeAt ? `Payment failed: ${dollars(amountCents)}` : 'Subscription canceled: payment failed',
  text: `Hello ${to.name},\n\nWe couldn't renew the subscription for ${clientName}. Charging ${dollars(amountCents)} to ${card} failed: ${reason}.\n\n${
    nextChargeAt
      ? `We'll try again on ${nextChargeAt.toISOString().slice(0, 10)}. The license stays active until then. To pay now, add another card.`
      : 'We will not try again. The subscription has been canceled, and the license has expired unless it was paid for in another way. Subscribe again to reactivate it.'
  }\n`,
  messageId: `<${randomUUID()}@parley>`,
});
