import type { MovedWithdrawal } from '#server/domain/partners/withdrawals/records.ts';
import type { Jobs } from '#server/jobs/index.ts';

/** The mail to the partner for each step of a withdrawal. */
const texts = {
  pending: {
    subject: 'Your withdrawal was requested',
    text: 'we have noted that you want it. You will hear from us when it is paid.',
  },
  paid: { subject: 'Your withdrawal was paid', text: 'we have paid it.' },
  rejected: {
    subject: 'Your withdrawal was not paid',
    text: 'we could not pay it. The money is in your available balance again.',
  },
};

export const withdrawalMail = (withdrawal: MovedWithdrawal): Jobs['send-mail'] => {
  const { id, status, contactName, contactEmail, amountCents, invoiceId, payoutAccount, reason } = withdrawal;
  const { subject, text } = texts[status];
  const why = reason === null ? '' : `\nThe reason: ${reason}\n`;
  return {
    to: { name: contactName, address: contactEmail },
    subject: `${subject}: $${(amountCents / 100).toFixed(2)}`,
    text: `Hello ${contactName},\n\nabout $${(amountCents / 100).toFixed(2)} to ${payoutAccount} under invoice ${invoiceId}: ${text}\n${why}`,
    messageId: `<withdrawal-${id}-${status}@parley>`,
  };
};
