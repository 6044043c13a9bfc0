import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { Properties, UserKind, Visibility } from '#server/storage/tables/chats.ts';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { ExpertMessage } from './partners/experts/records.ts';
import type { FailedRenewal } from './partners/subscriptions/records.ts';
import type { MovedWithdrawal } from './partners/withdrawals/records.ts';
import type { Transcript } from './support/archives/records.ts';
import type { ChatUser, ChatWithThread, EventRecord, Postback } from './support/chats/records.ts';
import type { Attention, CustomerDetails, CustomerRecord, VerifiedEmail } from './support/customers/records.ts';
import type { ShownGreeting } from './support/greetings/records.ts';
import type { GroupStatus } from './support/groups/records.ts';
import type { PropertyNames } from './support/properties/definitions.ts';
import type { QueuePlace } from './support/routing/records.ts';
import type { TicketReplyMail } from './support/tickets/mail/reply-mail.ts';
import type { TicketRecord } from './support/tickets/records.ts';

export interface InChat {
  organizationId: string;
  chatId: string;
  threadId: string;
  customerId: string;
  /** Who may see the chat, so that whoever delivers an event need not ask again. */
  groupIds: number[];
}

interface UserRef {
  kind: UserKind;
  id: string;
}

/** Who brought it about. A customer learns of nobody whom it cannot see. */
export interface Requester extends UserRef {
  visibility: Visibility;
}

interface UserChange extends InChat {
  /** `agents`: the customer never hears of it. */
  visibility: Visibility;
  reason: string;
  requester?: Requester;
}

interface Target {
  groupIds?: number[];
  agentIds?: string[];
}

interface PlaceInQueue {
  chatId: string;
  threadId: string;
  customerId: string;
  queue: QueuePlace;
}

interface PropertiesSet extends InChat {
  /** Only those that changed. */
  properties: Properties;
  /** Whether the customer may read any of them. */
  customerSees: boolean;
}

interface PropertiesRemoved extends InChat {
  names: PropertyNames;
  customerSees: boolean;
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

/** What a customer does on the site, which not every agent wants to hear. */
interface AboutVisitor {
  organizationId: string;
  customerId: string;
  attention: Attention;
}

interface VisitedPage {
  url: string;
  title?: string;
  openedAt: Date;
}

/** The request over a socket that something happened by, so that its sender knows what it brought about. */
export interface Cause {
  connectionId: string;
  requestId: string | number;
}

/** Everything that can happen. `reactions/index.ts` says what follows from each. */
export type DomainEvent = Happening & { cause?: Cause };

type Happening =
  | (InChat & { type: 'event_sent'; event: EventRecord })
  | (InChat & { type: 'chat_started'; chat: ChatWithThread; requester?: Requester })
  | (InChat & { type: 'chat_deactivated'; userId?: string; visibility?: Visibility })
  | (UserChange & { type: 'user_added'; user: ChatUser })
  | (UserChange & { type: 'user_removed'; user: UserRef })
  /** `groupIds` are those who could see it before and those who can now. */
  | (InChat & { type: 'chat_transferred'; reason: string; requester?: Requester; to: Target; queue?: QueuePlace })
  | (InChat & { type: 'chat_access_updated'; accessGroupIds: number[] })
  /** For those who could not see it before: `from` could. */
  | (InChat & { type: 'chat_arrived'; chat: ChatWithThread; requester?: Requester; from: Required<Target> })
  /** Those of the same groups whose place changed. */
  | { type: 'queue_moved'; organizationId: string; groupIds: number[]; places: PlaceInQueue[] }
  /** The part of it that concerns one customer. */
  | (InChat & { type: 'place_changed'; queue: QueuePlace })
  | (InChat & { type: 'chat_followed'; agentId: string; chat: ChatWithThread })
  | (InChat & { type: 'chat_unfollowed'; agentId: string })
  | (InChat & { type: 'thread_tagged'; tag: string })
  | (InChat & { type: 'thread_untagged'; tag: string })
  | (InChat & { type: 'typing_indicated'; user: UserRef; visibility: Visibility; isTyping: boolean; sentAt: Date })
  /** To the agents it names, or to one customer. */
  | { type: 'multicast_sent'; organizationId: string; to: MulticastTo; customerId?: string; multicast: Multicast }
  | (PropertiesSet & { type: 'chat_properties_updated' })
  | (PropertiesSet & { type: 'thread_properties_updated' })
  | (PropertiesSet & { type: 'event_properties_updated'; eventId: string })
  | (PropertiesRemoved & { type: 'chat_properties_deleted' })
  | (PropertiesRemoved & { type: 'thread_properties_deleted' })
  | (PropertiesRemoved & { type: 'event_properties_deleted'; eventId: string })
  | (InChat & { type: 'postback_sent'; eventId: string; user: UserRef; visibility: Visibility; postback: Postback })
  | (InChat & { type: 'events_marked_as_seen'; user: Requester; seenUpTo: Date })
  /** Sent before with the same `customId`: only whoever repeated it is told. */
  | (InChat & { type: 'event_repeated'; event: EventRecord })
  | (InChat & { type: 'sneak_peek_sent'; user: UserRef; text: string; sentAt: Date })
  | { type: 'property_defined'; organizationId: string; namespace: string; name: string }
  | (InChat & { type: 'customer_session_fields_updated'; sessionFields: SessionFields })
  | { type: 'customer_updated'; organizationId: string; customerId: string; customer: CustomerRecord }
  | { type: 'customer_banned'; organizationId: string; customerId?: string; ip?: string; days: number; endsAt: Date }
  /** For the first time ever. */
  | (AboutVisitor & { type: 'customer_came'; customer: CustomerDetails })
  | (AboutVisitor & { type: 'customer_visit_started'; customer: CustomerDetails })
  | (AboutVisitor & { type: 'customer_visit_ended' })
  | {
      type: 'customer_followed';
      organizationId: string;
      customerId: string;
      agentId: string;
      customer: CustomerDetails;
    }
  | { type: 'customer_unfollowed'; organizationId: string; customerId: string; agentId: string }
  | { type: 'email_verification_requested'; organizationId: string; email: string; secret: string }
  | ({ type: 'email_verified'; organizationId: string; callbackUris: string[] } & VerifiedEmail)
  | {
      type: 'organization_created';
      organizationId: string;
      name: string;
      ownerLogin: string;
      ownerName: string;
      /** Nothing of it may be repeated in a mail but the address. */
      byStranger?: boolean;
    }
  | (AboutVisitor & { type: 'customer_page_updated'; page: VisitedPage })
  | { type: 'greeting_displayed'; organizationId: string; customerId: string; greeting: ShownGreeting }
  | { type: 'greeting_accepted'; organizationId: string; customerId: string; uniqueId: string }
  | { type: 'greeting_canceled'; organizationId: string; customerId: string; uniqueId: string }
  | { type: 'credentials_changed'; organizationId: string }
  /** Without a password: the secret lets it choose one. */
  | { type: 'agent_invited'; organizationId: string; login: string; secret: string }
  | { type: 'agent_dismissed'; organizationId: string; login: string }
  /** The secret lets it choose another. */
  | { type: 'password_reset_requested'; organizationId: string; login: string; secret: string }
  | { type: 'group_statuses_changed'; organizationId: string; groups: GroupStatus[] }
  | { type: 'agent_status_set'; organizationId: string; agentId: string; status: AgentStatus }
  /** All its sockets must go. */
  | { type: 'agent_signed_out'; organizationId: string; agentId: string }
  | { type: 'ticket_created'; organizationId: string; groupIds: number[]; ticket: TicketRecord }
  /** For those who have it before them: whatever changed, they ask. */
  | { type: 'ticket_changed'; organizationId: string; groupIds: number[]; ticketId: string }
  | { type: 'ticket_replied'; organizationId: string; mail: TicketReplyMail }
  | { type: 'transcript_requested'; organizationId: string; transcript: Transcript }
  | { type: 'partner_created'; partnerId: number; login: string; firstName: string; byStranger?: boolean }
  | { type: 'renewal_failed'; partnerId: number; renewal: FailedRenewal }
  | { type: 'expert_written_to'; partnerId: number; message: ExpertMessage }
  | { type: 'withdrawal_moved'; withdrawal: MovedWithdrawal };

/** Every process listens here: whatever it remembers about credentials may be out of date. */
export const CREDENTIALS_TOPIC = 'credentials';

/** Every process listens here: an account's properties were defined anew. */
export const PROPERTIES_TOPIC = 'properties';

export const organizationTopic = (organizationId: string): string => `organization.${organizationId}`;

/** Where an event is announced; `undefined` concerns nobody who listens. */
export const topicOf = (event: DomainEvent): string | undefined => {
  if (event.type === 'credentials_changed') return CREDENTIALS_TOPIC;
  if (event.type === 'property_defined') return PROPERTIES_TOPIC;
  return 'organizationId' in event ? organizationTopic(event.organizationId) : undefined;
};

const DATE_KEYS = /(At|UpTo)$/;

/** A client's own text under such a key stays as it was, unless it is exactly what the Date would be written as again. */
const toDate = (text: string): Date | string => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : text;
};

/** Between processes an event travels as text. */
export const writeEvent = (event: DomainEvent): string => JSON.stringify(event);

/** Dates became text on the way; their keys tell which they are. */
export const readEvent = (text: string): DomainEvent =>
  JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && DATE_KEYS.test(key) ? toDate(value) : value,
  ) as DomainEvent;
