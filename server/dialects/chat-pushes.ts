import type { Push } from '#contracts/chat/frames.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import { type ChatPresenter, toTimestamp } from './chat-present.ts';
import { presentCustomer } from './customer-present.ts';
import { presentGreeting } from './greeting-present.ts';

/**
 * Who is told:
 * `agents`: those who may see its `groupIds`, or all when it names none.
 * `customer`: the one it names as `customerId`.
 * `customers`: all of the organization.
 */
export type Audience = 'agents' | 'customer' | 'customers';

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

interface PushRule<E extends DomainEvent> {
  to: readonly Audience[] | ((event: E) => readonly Audience[]);
  /** What happened, as the reader's dialect says it. */
  write(event: E, present: ChatPresenter): Push;
}

const EVERYONE_IN_CHAT = ['agents', 'customer'] as const;

const inChat = ({ chatId, threadId }: { chatId: string; threadId: string }) => ({
  chat_id: chatId,
  thread_id: threadId,
});

type SetType = `${'chat' | 'thread' | 'event'}_properties_updated`;
type RemovedType = `${'chat' | 'thread' | 'event'}_properties_deleted`;

const toReaders = ({ customerSees }: { customerSees: boolean }): readonly Audience[] =>
  customerSees ? EVERYONE_IN_CHAT : ['agents'];

/** Only the properties that changed, and of these the ones that the reader may see. */
const propertyRules: { [T in SetType | RemovedType]: PushRule<Of<T>> } = {
  chat_properties_updated: {
    to: toReaders,
    write: ({ type, chatId, properties }, present) => ({
      action: type,
      payload: { chat_id: chatId, properties: present.properties('chat', properties) },
    }),
  },
  chat_properties_deleted: {
    to: toReaders,
    write: ({ type, chatId, names }, present) => ({
      action: type,
      payload: { chat_id: chatId, properties: present.names('chat', names) },
    }),
  },
  thread_properties_updated: {
    to: toReaders,
    write: (happening, present) => ({
      action: happening.type,
      payload: { ...inChat(happening), properties: present.properties('thread', happening.properties) },
    }),
  },
  thread_properties_deleted: {
    to: toReaders,
    write: (happening, present) => ({
      action: happening.type,
      payload: { ...inChat(happening), properties: present.names('thread', happening.names) },
    }),
  },
  event_properties_updated: {
    to: toReaders,
    write: (happening, present) => ({
      action: happening.type,
      payload: {
        ...inChat(happening),
        event_id: happening.eventId,
        properties: present.properties('event', happening.properties),
      },
    }),
  },
  event_properties_deleted: {
    to: toReaders,
    write: (happening, present) => ({
      action: happening.type,
      payload: {
        ...inChat(happening),
        event_id: happening.eventId,
        properties: present.names('event', happening.names),
      },
    }),
  },
};

/** What sockets are told of each happening; one without an entry here is pushed to nobody. */
const rules: { [T in DomainEvent['type']]?: PushRule<Of<T>> } = {
  ...propertyRules,
  postback_sent: {
    to: ({ visibility }) => (visibility === 'all' ? EVERYONE_IN_CHAT : ['agents']),
    write: (happening, present) => ({
      action: 'incoming_rich_message_postback',
      payload: {
        user_id: present.userId(happening.user.kind, happening.user.id),
        ...inChat(happening),
        event_id: happening.eventId,
        postback: happening.postback,
      },
    }),
  },
  events_marked_as_seen: {
    to: EVERYONE_IN_CHAT,
    write: ({ user, chatId, seenUpTo }, present) => ({
      action: 'events_marked_as_seen',
      payload: { user_id: present.userId(user.kind, user.id), chat_id: chatId, seen_up_to: toTimestamp(seenUpTo) },
    }),
  },
  sneak_peek_sent: {
    to: ['agents'],
    write: (happening, present) => ({
      action: 'incoming_sneak_peek',
      payload: {
        ...inChat(happening),
        sneak_peek: {
          author_id: present.userId(happening.user.kind, happening.user.id),
          text: happening.text,
          timestamp: Math.floor(happening.sentAt.getTime() / 1000),
        },
      },
    }),
  },
  event_sent: {
    to: ({ event }) => (event.visibility === 'all' ? EVERYONE_IN_CHAT : ['agents']),
    write: (happening, present) => ({
      action: 'incoming_event',
      payload: { ...inChat(happening), event: present.event(happening.event) },
    }),
  },
  event_repeated: {
    to: EVERYONE_IN_CHAT,
    write: (happening, present) => ({
      action: 'incoming_event',
      payload: { ...inChat(happening), event: present.event(happening.event) },
    }),
  },
  chat_started: {
    to: EVERYONE_IN_CHAT,
    write: ({ customerId, chat }, present) => ({
      action: 'incoming_chat',
      payload: { requester_id: customerId, chat: present.chat(chat) },
    }),
  },
  greeting_displayed: {
    to: ['customer'],
    write: ({ greeting }, present) => ({ action: 'incoming_greeting', payload: presentGreeting(present, greeting) }),
  },
  greeting_accepted: {
    to: ['customer'],
    write: ({ uniqueId }) => ({ action: 'greeting_accepted', payload: { unique_id: uniqueId } }),
  },
  greeting_canceled: {
    to: ['customer'],
    write: ({ uniqueId }) => ({ action: 'greeting_canceled', payload: { unique_id: uniqueId } }),
  },
  customer_updated: {
    to: EVERYONE_IN_CHAT,
    write: ({ customer }) => ({ action: 'customer_updated', payload: presentCustomer(customer) }),
  },
  group_statuses_changed: {
    to: ['customers'],
    write: ({ groups }) => ({ action: 'groups_status_updated', payload: { groups } }),
  },
  customer_session_fields_updated: {
    to: ['agents'],
    write: (happening) => ({
      action: 'customer_session_fields_updated',
      payload: {
        id: happening.customerId,
        active_chat: inChat(happening),
        session_fields: happening.sessionFields,
      },
    }),
  },
  chat_deactivated: {
    to: EVERYONE_IN_CHAT,
    write: (happening, present) => {
      const { userId, customerId } = happening;
      const kind = userId === customerId ? 'customer' : 'agent';
      return {
        action: 'chat_deactivated',
        payload: { ...inChat(happening), ...(userId === undefined ? {} : { user_id: present.userId(kind, userId) }) },
      };
    },
  },
};

const ruleOf = <T extends DomainEvent['type']>(event: Of<T>): PushRule<Of<T>> | undefined => rules[event.type as T];

const NOBODY: readonly Audience[] = [];

export const audiencesOf = (event: DomainEvent): readonly Audience[] => {
  const to = ruleOf(event)?.to ?? NOBODY;
  return typeof to === 'function' ? to(event) : to;
};

/** The push of a happening that has an audience. */
export const presentPush = (present: ChatPresenter, event: DomainEvent): Push => ruleOf(event)!.write(event, present);
