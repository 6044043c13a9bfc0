import type { Clock } from '#server/domain/clock.ts';
import type { Secrets } from '#server/domain/secrets.ts';
import type { Mail } from '#server/ports/mail/mail.ts';
import type { Executor } from '#server/storage/executor.ts';

/** Smaller numbers are sent first: people wait for mails with 0, and not for those with 2. */
const priorities = {
  password_reset: 0,
  agent_invitation: 0,
  email_verification: 0,
  welcome: 1,
  agent_removed: 1,
  ticket_reply: 1,
  expert_message: 1,
  payment_failed: 1,
  payout: 1,
  transcript: 2,
} as const satisfies Record<string, 0 | 1 | 2>;

export type MailKind = keyof typeof priorities;

/** A mail without its sender, which is the same for all. */
export type OutgoingMail = Omit<Mail, 'from'>;

/** The organization or partner that caused a mail. Sending is fair between them. */
export type MailOwner = { organizationId: string } | { partnerId: number };

/** Stores mails until they are sent. The content is encrypted, because it may contain links that open an account. */
export interface MailQueue {
  /** Sends the mail only if the caller's transaction commits. */
  enqueue(tx: Executor, owner: MailOwner, kind: MailKind, mail: OutgoingMail): Promise<void>;
}

export const createMailQueue = ({ clock, secrets }: { clock: Clock; secrets: Secrets }): MailQueue => ({
  enqueue: async (tx, owner, kind, mail) => {
    const ownerId = 'organizationId' in owner ? owner.organizationId : String(owner.partnerId);
    await tx.query({
      name: 'enqueue_mail',
      text: `insert into outgoing_mails (owner_id, kind, priority, content_sealed, next_attempt_at, created_at)
        values ($1, $2, $3, $4, $5, $5)`,
      values: [ownerId, kind, priorities[kind], secrets.seal(JSON.stringify(mail)), clock.now()],
    });
  },
});
