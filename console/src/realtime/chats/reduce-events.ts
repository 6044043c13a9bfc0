import type { Push } from '#contracts/chat/frames.ts';
import { changeProperties } from './properties.ts';
import { type ChatEvent, hasGap, type LiveChat, mergeEvents, numberOf } from './state.ts';

type Change = (chat: LiveChat) => LiveChat;
type PushOf<A extends Push['action']> = Extract<Push, { action: A }>;

export interface Button {
  text: string;
  postback_id: string;
  user_ids?: string[];
}

export interface Element {
  title?: string | null;
  subtitle?: string | null;
  image?: { url?: string } | null;
  buttons?: Button[] | null;
}

/** Sending something ends the typing indicator of its author. */
const clearTyping = (chat: LiveChat, authorId: string | undefined): Pick<LiveChat, 'typing' | 'sneakPeek'> => {
  if (authorId === undefined) return chat;
  const { [authorId]: _, ...typing } = chat.typing;
  const isCustomer = chat.users.some(({ id, type }) => id === authorId && type === 'customer');
  return { typing, sneakPeek: isCustomer ? undefined : chat.sneakPeek };
};

export const reduceEvent =
  (event: ChatEvent): Change =>
  (chat) => {
    const last = chat.events.at(-1);
    const events = mergeEvents(chat.events, [event]);
    const isNext = numberOf(event.id) === (last ? numberOf(last.id) : 0) + 1;
    const isComplete = chat.isComplete && (isNext || !hasGap(events));
    return { ...chat, ...clearTyping(chat, event.author_id), events, isComplete };
  };

const patchEvent = (chat: LiveChat, id: string, patch: (event: ChatEvent) => ChatEvent): LiveChat => ({
  ...chat,
  events: chat.events.map((event) => (event.id === id ? patch(event) : event)),
});

const withProperties = (event: ChatEvent, properties: NonNullable<ChatEvent['properties']>): ChatEvent => {
  const { properties: _, ...rest } = event;
  return Object.keys(properties).length > 0 ? { ...rest, properties } : rest;
};

export const reduceEventProperties =
  (push: PushOf<'event_properties_updated'> | PushOf<'event_properties_deleted'>): Change =>
  (chat) =>
    patchEvent(chat, push.payload.event_id, (event) =>
      withProperties(event, changeProperties(event.properties ?? {}, push)),
    );

const press = (button: Button, userId: string, { id, toggled }: { id: string; toggled: boolean }): Button => {
  if (button.postback_id !== id) return button;
  const others = (button.user_ids ?? []).filter((one) => one !== userId);
  return { ...button, user_ids: toggled ? [...others, userId] : others };
};

export const reducePostback =
  ({ event_id: eventId, user_id: userId, postback }: PushOf<'incoming_rich_message_postback'>['payload']): Change =>
  (chat) =>
    patchEvent(chat, eventId, (event) => ({
      ...event,
      elements: (event.elements as Element[] | undefined)?.map(({ buttons, ...element }) => ({
        ...element,
        ...(buttons ? { buttons: buttons.map((button) => press(button, userId, postback)) } : {}),
      })),
    }));
