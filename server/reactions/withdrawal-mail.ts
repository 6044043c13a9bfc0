import type { MovedWithdrawal } from '#server/domain/partners/withdrawals/records.ts';
import type { OutgoingMail } from '#server/jobs/mail-queue.ts';

/** The mail to the partner for each step of a withdrawal. */
const texts = {
  pending: {
    subject: 'Payout requested',
    text: (payout: string) => `We received your request for a payout of ${payout}. We'll email you when it is sent.`,
  },
  paid: { subject: 'Payout sent', text: (payout: string) => `Your payout of ${payout} was sent.` },
  rejected: {
    subject: 'Payout failed',
    text: (payout: string) =>
      `We couldn't send your payout of ${payout}. The amount has been returned to your available balance.`,
  },
};

export const withdrawalMail = (withdrawal: MovedWithdrawal): OutgoingMail => {
  const { id, status, contactName, contactEmail, amountCents, invoiceId, payoutAccount, reason } = withdrawal;
  const { subject, text } = texts[status];
  const amount = `$${(amountCents / 100).toFixed(2)}`;
  const why = reason === null ? '' : `\nReason: ${reason}\n`;
  return {
    to: { name: contactName, address: contactEmail },
    subject: `${subject}: ${amount}`,
    text: `Hello ${contactName},\n\n${text(`${amount} to ${payoutAccount}`)}\n\nInvoice: ${invoiceId}\n${why}`,
    messageId: `<withdrawal-${id}-${status}@parley>`,
  };
};
