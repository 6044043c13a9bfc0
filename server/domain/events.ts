import type { ConfirmationKind } from '#server/storage/tables/address-confirmations.ts';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { Properties, UserKind, Visibility } from '#server/storage/tables/chats.ts';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { ExpertMessage } from './partners/experts/records.ts';
import type { FailedRenewal } from './partners/subscriptions/records.ts';
import type { MovedWithdrawal } from './partners/withdrawals/records.ts';
import type { Transcript } from './support/archives/records.ts';
import type { ChatUser, ChatWithThread, EventRecord, Postback } from './support/chats/records.ts';
import type { CustomerDetails, CustomerRecord, Monitoring, VerifiedEmail } from './support/customers/records.ts';
import type { ShownGreeting } from './support/greetings/records.ts';
import type { GroupStatus } from './support/groups/records.ts';
import type { PropertyNames } from './support/properties/definitions.ts';
import type { QueuePosition } from './support/routing/records.ts';
import type { TicketReplyMail } from './support/tickets/mail/reply-mail.ts';
import type { TicketRecord } from './support/tickets/records.ts';

export interface ChatRef {
  organizationId: string;
  chatId: string;
  threadId: string;
  customerId: string;
  /** The groups that may see the chat, so that delivering an event needs no query. */
  groupIds: number[];
}

interface UserRef {
  kind: UserKind;
  id: string;
}

/** The user who caused the event. Customers do not receive users they cannot see. */
export interface Requester extends UserRef {
  visibility: Visibility;
}

interface UserChange extends ChatRef {
  /** `agents`: hidden from the customer. */
  visibility: Visibility;
  reason: string;
  requester?: Requester;
}

interface Target {
  groupIds?: number[];
  agentIds?: string[];
}

interface CustomerQueuePosition {
  chatId: string;
  threadId: string;
  customerId: string;
  queue: QueuePosition;
}

interface PropertiesSet extends ChatRef {
  /** Only the changed properties. */
  properties: Properties;
  /** Whether the customer may read any of these properties. */
  visibleToCustomer: boolean;
}

interface PropertiesRemoved extends ChatRef {
  names: PropertyNames;
  visibleToCustomer: boolean;
}

interface MulticastTo {
  all: boolean;
  agentIds: string[];
  groupIds: number[];
}

interface Multicast {
  author: UserRef;
  kind: string;
  content: Record<string, unknown>;
}

/** An event about a visitor on the site, which agents receive only if it concerns them. */
interface VisitorEvent {
  organizationId: string;
  customerId: string;
  monitoring: Monitoring;
}

interface VisitedPage {
  url: string;
  title?: string;
  openedAt: Date;
}

/** The socket request that caused an event, so that its sender can match the event to the request. */
export interface Cause {
  connectionId: string;
  requestId: string | number;
}

/** All domain events. `reactions/index.ts` defines the consequences of each. */
export type DomainEvent = EventPayload & { cause?: Cause };

type EventPayload =
  | (ChatRef & { type: 'event_sent'; event: EventRecord })
  | (ChatRef & { type: 'chat_started'; chat: ChatWithThread; requester?: Requester })
  | (ChatRef & { type: 'chat_deactivated'; userId?: string; visibility?: Visibility })
  | (UserChange & { type: 'user_added'; user: ChatUser })
  | (UserChange & { type: 'user_removed'; user: UserRef })
  /** `groupIds` contains the groups before and after the transfer. */
  | (ChatRef & { type: 'chat_transferred'; reason: string; requester?: Requester; to: Target; queue?: QueuePosition })
  | (ChatRef & { type: 'chat_access_updated'; accessGroupIds: number[] })
  /** For agents who could not see the chat before; `from` lists who could. */
  | (ChatRef & { type: 'chat_arrived'; chat: ChatWithThread; requester?: Requester; from: Required<Target> })
  /** Changed queue positions of chats with the same groups. */
  | { type: 'queue_positions_changed'; organizationId: string; groupIds: number[]; positions: CustomerQueuePosition[] }
  /** The queue position for one customer. */
  | (ChatRef & { type: 'queue_position_changed'; queue: QueuePosition })
  | (ChatRef & { type: 'chat_followed'; agentId: string; chat: ChatWithThread })
  | (ChatRef & { type: 'chat_unfollowed'; agentId: string })
  | (ChatRef & { type: 'thread_tagged'; tag: string })
  | (ChatRef & { type: 'thread_untagged'; tag: string })
  | (ChatRef & { type: 'typing_indicated'; user: UserRef; visibility: Visibility; isTyping: boolean; sentAt: Date })
  /** Sent to the agents in `to`, or to one customer. */
  | { type: 'multicast_sent'; organizationId: string; to: MulticastTo; customerId?: string; multicast: Multicast }
  | (PropertiesSet & { type: 'chat_properties_updated' })
  | (PropertiesSet & { type: 'thread_properties_updated' })
  | (PropertiesSet & { type: 'event_properties_updated'; eventId: string })
  | (PropertiesRemoved & { type: 'chat_properties_deleted' })
  | (PropertiesRemoved & { type: 'thread_properties_deleted' })
  | (PropertiesRemoved & { type: 'event_properties_deleted'; eventId: string })
  | (ChatRef & { type: 'postback_sent'; eventId: string; user: UserRef; visibility: Visibility; postback: Postback })
  | (ChatRef & { type: 'events_marked_as_seen'; user: Requester; seenUpTo: Date })
  /** An event was sent again with the same `customId`: only its sender is notified. */
  | (ChatRef & { type: 'event_repeated'; event: EventRecord })
  | (ChatRef & { type: 'sneak_peek_sent'; user: UserRef; text: string; sentAt: Date })
  | { type: 'property_defined'; organizationId: string; namespace: string; name: string }
  | (ChatRef & { type: 'customer_session_fields_updated'; sessionFields: SessionFields })
  | { type: 'customer_updated'; organizationId: string; customerId: string; customer: CustomerRecord }
  | { type: 'customer_banned'; organizationId: string; customerId?: string; ip?: string; days: number; endsAt: Date }
  /** The customer's first visit. */
  | (VisitorEvent & { type: 'customer_arrived'; customer: CustomerDetails })
  | (VisitorEvent & { type: 'customer_visit_started'; customer: CustomerDetails })
  | (VisitorEvent & { type: 'customer_visit_ended' })
  | {
      type: 'customer_followed';
      organizationId: string;
      customerId: string;
      agentId: string;
      customer: CustomerDetails;
    }
  | { type: 'customer_unfollowed'; organizationId: string; customerId: string; agentId: string }
  | { type: 'address_confirmation_requested'; kind: ConfirmationKind; ownerId: string; address: string; secret: string }
  | ({ type: 'email_verified'; organizationId: string; callbackUris: string[] } & VerifiedEmail)
  | {
      type: 'organization_created';
      organizationId: string;
      name: string;
      ownerLogin: string;
      ownerName: string;
      /** Set for public sign-ups, whose mails must not repeat user input except the address. */
      isUntrustedInput?: boolean;
      /** Confirms the owner’s address. */
      secret?: string;
    }
  | (VisitorEvent & { type: 'customer_page_updated'; page: VisitedPage })
  | { type: 'greeting_displayed'; organizationId: string; customerId: string; greeting: ShownGreeting }
  | { type: 'greeting_accepted'; organizationId: string; customerId: string; uniqueId: string }
  | { type: 'greeting_canceled'; organizationId: string; customerId: string; uniqueId: string }
  | { type: 'credentials_changed'; organizationId: string }
  /** The agent has no password yet and chooses one with the secret. */
  | { type: 'agent_invited'; organizationId: string; login: string; secret: string }
  | { type: 'agent_dismissed'; organizationId: string; login: string }
  /** The agent chooses a new password with the secret. */
  | { type: 'password_reset_requested'; organizationId: string; login: string; secret: string }
  | { type: 'group_statuses_changed'; organizationId: string; groups: GroupStatus[] }
  | { type: 'agent_status_set'; organizationId: string; agentId: string; status: AgentStatus }
  /** All sockets of the agent must be closed. */
  | { type: 'agent_signed_out'; organizationId: string; agentId: string }
  | { type: 'ticket_created'; organizationId: string; groupIds: number[]; ticket: TicketRecord }
  /** Tells open clients to load the ticket again. */
  | { type: 'ticket_changed'; organizationId: string; groupIds: number[]; ticketId: string }
  | { type: 'ticket_replied'; organizationId: string; mail: TicketReplyMail }
  | { type: 'transcript_requested'; organizationId: string; transcript: Transcript }
  | {
      type: 'partner_created';
      partnerId: number;
      login: string;
      firstName: string;
      isUntrustedInput?: boolean;
      secret?: string;
    }
  | { type: 'renewal_failed'; partnerId: number; renewal: FailedRenewal }
  | { type: 'expert_written_to'; partnerId: number; message: ExpertMessage }
  | { type: 'withdrawal_moved'; withdrawal: MovedWithdrawal };

/** All processes subscribe to clear cached credentials. */
export const CREDENTIALS_TOPIC = 'credentials';

/** All processes subscribe to clear cached property definitions. */
export const PROPERTIES_TOPIC = 'properties';

export const organizationTopic = (organizationId: string): string => `organization.${organizationId}`;

/** The bus topic of an event; `undefined` when it has no subscribers. */
export const topicOf = (event: DomainEvent): string | undefined => {
  if (event.type === 'credentials_changed') return CREDENTIALS_TOPIC;
  if (event.type === 'property_defined') return PROPERTIES_TOPIC;
  return 'organizationId' in event ? organizationTopic(event.organizationId) : undefined;
};

const DATE_KEYS = /(At|UpTo)$/;

/** Client text under such a key stays unchanged unless it is exactly what a Date serializes to. */
const toDate = (text: string): Date | string => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : text;
};

/** Serializes an event for the bus. */
export const writeEvent = (event: DomainEvent): string => JSON.stringify(event);

/** JSON turned dates into text; the name of the key identifies them. */
export const readEvent = (text: string): DomainEvent =>
  JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && DATE_KEYS.test(key) ? toDate(value) : value,
  ) as DomainEvent;
