import type { AccountEvent } from '#server/domain/account-events.ts';
import { confirmAgent } from '#server/domain/accounts/agents/confirm-agent.ts';
import type { Clock } from '#server/domain/clock.ts';
import { type DomainEvent, topicOf, writeEvent } from '#server/domain/events.ts';
import { confirmPartner } from '#server/domain/partners/accounts/confirm-partner.ts';
import { earnCommissions } from '#server/domain/partners/commissions/earn-commissions.ts';
import { reverseCommissions } from '#server/domain/partners/commissions/reverse-commissions.ts';
import { updateHolds } from '#server/domain/partners/commissions/update-holds.ts';
import { followLicense } from '#server/domain/partners/referrals/follow-license.ts';
import { markConverted } from '#server/domain/partners/referrals/mark-converted.ts';
import { enqueueProjections, type ProjectionKeys } from '#server/domain/projection-queue.ts';
import type { Reactions } from '#server/domain/reactions.ts';
import { enterOrganization, enterPartner, type PlatformScope, type Transaction } from '#server/domain/scope.ts';
import { stopAcceptingChats } from '#server/domain/support/agents/presence/stop-accepting-chats.ts';
import { confirmEmail } from '#server/domain/support/customers/confirm-email.ts';
import { writeDeliveries } from '#server/domain/support/webhooks/outbox.ts';
import type { MailQueue } from '#server/jobs/mail-queue.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Bus } from '#server/ports/bus/bus.ts';
import type { Executor } from '#server/storage/executor.ts';
import { expertMail } from './expert-mail.ts';
import { activateAgent, confirmAddress, dismissAgent, resetPassword, welcomeOwner, welcomePartner } from './mails.ts';
import { renewalMail } from './renewal-mail.ts';
import { ticketReply } from './ticket-mail.ts';
import { transcriptMail } from './transcript-mail.ts';
import { withdrawalMail } from './withdrawal-mail.ts';

export interface ReactionTools {
  jobs: JobQueue;
  mails: MailQueue;
  bus: Bus;
  clock: Clock;
  publicUrl(): string;
  /** There are mails to send. */
  onMail(): void;
  /** There are webhooks to send. */
  onWebhooksQueued(): void;
  /** A chat began or ended. */
  onChat(organizationId: string): void;
}

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

interface Reaction<T extends DomainEvent['type']> {
  /** In the same transaction: work that must not be lost. */
  durable?: ((event: Of<T>, tx: Executor, tools: ReactionTools) => Promise<void>)[];
  /** In the same transaction: the keys whose derived rows must be recomputed, see `projections/index.ts`. */
  project?: (event: Of<T>) => ProjectionKeys;
  /** After the commit: publish the event to all processes. */
  announce?: boolean;
  /** After the commit: work in this process that may be lost. */
  follow?: (event: Of<T>, tools: ReactionTools) => void;
}

/** An ongoing thread is in no projection, so nothing is recomputed for it. */
const ofEndedThread = ({ threadId }: { threadId: string }): ProjectionKeys => ({
  archive_search: [threadId],
  report_facts: [threadId],
});

/** The reactions to each event type; webhooks follow from `domain/support/webhooks/actions.ts`. */
export const reactions: { [T in DomainEvent['type']]: Reaction<T> } = {
  event_sent: { announce: true },
  chat_started: {
    announce: true,
    project: ({ chat, threadId }) => (chat.active ? {} : ofEndedThread({ threadId })),
    follow: ({ organizationId }, { onChat }) => onChat(organizationId),
  },
  chat_deactivated: {
    announce: true,
    project: ofEndedThread,
    follow: ({ organizationId }, { onChat }) => onChat(organizationId),
  },
  user_added: { announce: true },
  user_removed: { announce: true },
  chat_transferred: { announce: true },
  chat_access_updated: { announce: true },
  chat_arrived: { announce: true },
  queue_positions_changed: { announce: true },
  queue_position_changed: { announce: true },
  chat_followed: { announce: true },
  chat_unfollowed: { announce: true },
  thread_tagged: { announce: true, project: ofEndedThread },
  thread_untagged: { announce: true, project: ofEndedThread },
  typing_indicated: { announce: true },
  multicast_sent: { announce: true },
  chat_properties_updated: { announce: true },
  chat_properties_deleted: { announce: true },
  thread_properties_updated: { announce: true, project: ofEndedThread },
  thread_properties_deleted: { announce: true, project: ofEndedThread },
  event_properties_updated: { announce: true },
  event_properties_deleted: { announce: true },
  postback_sent: { announce: true },
  events_marked_as_seen: { announce: true },
  event_repeated: { announce: true },
  sneak_peek_sent: { announce: true },
  property_defined: { announce: true },
  agent_status_set: { announce: true },
  agent_signed_out: { announce: true },
  group_statuses_changed: { announce: true },
  customer_page_updated: { announce: true },
  customer_arrived: { announce: true },
  customer_visit_started: { announce: true },
  customer_visit_ended: { announce: true },
  customer_followed: { announce: true },
  customer_unfollowed: { announce: true },
  greeting_displayed: { announce: true },
  greeting_accepted: { announce: true },
  greeting_canceled: { announce: true },
  credentials_changed: { announce: true },
  agent_invited: {
    durable: [
      (event, tx, { mails, publicUrl }) =>
        mails.enqueue(tx, event, 'agent_invitation', activateAgent(event, publicUrl())),
    ],
  },
  agent_dismissed: {
    durable: [(event, tx, { mails }) => mails.enqueue(tx, event, 'agent_removed', dismissAgent(event))],
  },
  password_reset_requested: {
    durable: [
      (event, tx, { mails, publicUrl }) =>
        mails.enqueue(tx, event, 'password_reset', resetPassword(event, publicUrl())),
    ],
  },
  customer_updated: { announce: true },
  customer_session_fields_updated: { announce: true },
  customer_banned: { announce: true },
  address_confirmation_requested: {
    durable: [
      (event, tx, { mails, publicUrl }) => {
        const { kind, ownerId } = event;
        const owner = kind === 'partner' ? { partnerId: Number(ownerId) } : { organizationId: ownerId };
        return mails.enqueue(tx, owner, 'email_verification', confirmAddress(event, publicUrl()));
      },
    ],
  },
  email_verified: {
    durable: [
      async ({ callbackUris, organizationId, customerId, email, verifiedAt }, tx, { jobs }) => {
        const verified = { organizationId, customerId, email, verifiedAt: verifiedAt.toISOString() };
        for (const callbackUri of callbackUris)
          await jobs.enqueue(tx, 'notify-email-verified', { callbackUri, ...verified });
      },
    ],
  },
  organization_created: {
    durable: [
      (event, tx, { mails, publicUrl }) => mails.enqueue(tx, event, 'welcome', welcomeOwner(event, publicUrl())),
    ],
  },
  ticket_created: { announce: true, project: ({ ticket }) => ({ ticket_search: [ticket.id] }) },
  ticket_changed: { announce: true, project: ({ ticketId }) => ({ ticket_search: [ticketId] }) },
  ticket_replied: {
    durable: [(event, tx, { mails }) => mails.enqueue(tx, event, 'ticket_reply', ticketReply(event))],
  },
  transcript_requested: {
    durable: [(event, tx, { mails }) => mails.enqueue(tx, event, 'transcript', transcriptMail(event.transcript))],
  },
  renewal_failed: {
    durable: [(event, tx, { mails }) => mails.enqueue(tx, event, 'payment_failed', renewalMail(event.renewal))],
  },
  expert_written_to: {
    durable: [(event, tx, { mails }) => mails.enqueue(tx, event, 'expert_message', expertMail(event.message))],
  },
  withdrawal_moved: {
    durable: [({ withdrawal }, tx, { mails }) => mails.enqueue(tx, withdrawal, 'payout', withdrawalMail(withdrawal))],
  },
  partner_created: {
    durable: [
      (event, tx, { mails, publicUrl }) => mails.enqueue(tx, event, 'welcome', welcomePartner(event, publicUrl())),
    ],
  },
};

type AccountReaction<T extends AccountEvent['type']> = (
  event: Extract<AccountEvent, { type: T }>,
  tx: Transaction<PlatformScope>,
) => Promise<void>;

/** What follows immediately from an event of `accounts`, in the same transaction and in this order. */
export const accountReactions: { [T in AccountEvent['type']]: AccountReaction<T>[] } = {
  address_confirmed: [
    ({ claim }, tx) => {
      switch (claim.kind) {
        case 'customer':
          return confirmEmail(enterOrganization(tx, claim.ownerId), claim);
        case 'agent':
          return confirmAgent(enterOrganization(tx, claim.ownerId), claim);
        case 'partner':
          return confirmPartner(enterPartner(tx, Number(claim.ownerId)));
        case 'support_address':
          throw new Error('Support addresses are confirmed by a code in the console');
      }
    },
  ],
  payment_recorded: [
    ({ payment, licenseStatus }, tx) => earnCommissions(tx, payment, { isHeld: licenseStatus === 'blocked' }),
    ({ payment }, tx) => markConverted(tx, payment),
  ],
  refund_applied: [
    ({ licenseStatus, ...applied }, tx) =>
      reverseCommissions(tx, { ...applied, account: licenseStatus === 'blocked' ? 'held' : 'available' }),
  ],
  license_changed: [
    ({ organizationId }, tx) => followLicense(tx, organizationId),
    async ({ organizationId, status }, tx) => {
      if (status === 'expired' || status === 'blocked') await stopAcceptingChats(enterOrganization(tx, organizationId));
    },
    async ({ organizationId, status }, tx) => {
      if (status !== undefined) await updateHolds(tx, organizationId);
    },
  ],
};

export const reactToAccountEvent = async <T extends AccountEvent['type']>(
  event: Extract<AccountEvent, { type: T }>,
  tx: Transaction<PlatformScope>,
): Promise<void> => {
  for (const react of accountReactions[event.type as T]) await react(event, tx);
};

export const createReactions = (tools: ReactionTools): Reactions => {
  const reactionTo = <T extends DomainEvent['type']>(event: Of<T>): Reaction<T> => reactions[event.type as T];
  const withWebhooks = new WeakSet<DomainEvent>();
  return {
    isDurable: (type) => reactions[type].durable !== undefined,
    beforeCommit: async (events, tx) => {
      for (const event of events) {
        const { durable = [], project } = reactionTo(event);
        for (const react of durable) await react(event, tx, tools);
        if (project && 'organizationId' in event)
          await enqueueProjections({ executor: tx, organizationId: event.organizationId }, project(event));
      }
      if (await writeDeliveries(tx, events, tools.clock.now())) withWebhooks.add(events[0]!);
    },
    afterCommit: (event) => {
      const { announce, durable, follow } = reactionTo(event);
      const topic = topicOf(event);
      if (announce && topic) tools.bus.publish(topic, writeEvent(event));
      follow?.(event as never, tools);
      if (durable) {
        tools.jobs.nudge();
        tools.onMail();
      }
      if (withWebhooks.has(event)) tools.onWebhooksQueued();
    },
  };
};
