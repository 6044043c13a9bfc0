import type { DomainEvent } from '#server/domain/events.ts';
import { type Audience, EVERYONE_IN_CHAT, inChat, type PushRule } from './push-rule.ts';

type SetType = `${'chat' | 'thread' | 'event'}_properties_updated`;
type RemovedType = `${'chat' | 'thread' | 'event'}_properties_deleted`;

const toReaders = ({ visibleToCustomer }: { visibleToCustomer: boolean }): readonly Audience[] =>
  visibleToCustomer ? EVERYONE_IN_CHAT : ['agents'];

/** Only the properties that changed, and of these the ones that the reader may see. */
export const propertyRules: { [T in SetType | RemovedType]: PushRule<Extract<DomainEvent, { type: T }>> } = {
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
    write: (domainEvent, present) => ({
      action: domainEvent.type,
      payload: { ...inChat(domainEvent), properties: present.properties('thread', domainEvent.properties) },
    }),
  },
  thread_properties_deleted: {
    to: toReaders,
    write: (domainEvent, present) => ({
      action: domainEvent.type,
      payload: { ...inChat(domainEvent), properties: present.names('thread', domainEvent.names) },
    }),
  },
  event_properties_updated: {
    to: toReaders,
    write: (domainEvent, present) => ({
      action: domainEvent.type,
      payload: {
        ...inChat(domainEvent),
        event_id: domainEvent.eventId,
        properties: present.properties('event', domainEvent.properties),
      },
    }),
  },
  event_properties_deleted: {
    to: toReaders,
    write: (domainEvent, present) => ({
      action: domainEvent.type,
      payload: {
        ...inChat(domainEvent),
        event_id: domainEvent.eventId,
        properties: present.names('event', domainEvent.names),
      },
    }),
  },
};
