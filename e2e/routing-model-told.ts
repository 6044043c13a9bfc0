import type { DomainEvent } from '#server/domain/events.ts';

export interface ToldPlace {
  position: number;
  waitTime: number;
}

/** What everybody would believe who listened from the beginning. */
export interface Told {
  statuses: Record<string, string>;
  places: Map<string, ToldPlace>;
  hear(event: DomainEvent): void;
}

export const createTold = (statuses: Record<string, string>): Told => {
  const told: Told = {
    statuses: { ...statuses },
    places: new Map(),
    hear: (event) => {
      if (event.type === 'group_statuses_changed')
        for (const { id, status } of event.groups) told.statuses[id] = status;
      if (event.type === 'queue_moved') for (const { chatId, queue } of event.places) told.places.set(chatId, queue);
      if (event.type === 'chat_started' && event.chat.thread?.queue)
        told.places.set(event.chatId, event.chat.thread.queue);
      if (event.type === 'chat_transferred' && event.queue) told.places.set(event.chatId, event.queue);
      if (event.type === 'chat_deactivated' || (event.type === 'chat_transferred' && !event.queue))
        told.places.delete(event.chatId);
    },
  };
  return told;
};
