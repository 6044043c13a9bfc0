import type { Properties, Visibility } from '#server/storage/tables/chats.ts';
import { notFound } from '../../errors.ts';
import type { ChatRef } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { changeEvent } from '../chats/append/change-event.ts';
import { getChatRow } from '../chats/read/find-chat.ts';
import { type EventRef, getEventRow } from '../chats/read/find-event.ts';

/** The chat, thread or event whose properties are changed. */
export type PropertyTarget =
  | { of: 'chat'; chatId: string }
  | { of: 'thread'; chatId: string; threadId: string }
  | ({ of: 'event' } & EventRef);

export interface OpenTarget {
  properties: Properties;
  visibility: Visibility;
  about: ChatRef;
  save(properties: Properties): Promise<unknown>;
}

/** Loads the target. The chat's row is locked, so that concurrent changes are not lost. */
export const loadPropertyTarget = async (
  tx: Transaction<OrganizationScope>,
  target: PropertyTarget,
): Promise<OpenTarget> => {
  const chat = await getChatRow(tx, target.chatId, true);
  const { id: chatId, customerId, groupIds } = chat;
  const threadId = target.of === 'chat' ? chat.lastThreadId : target.threadId;
  const about = { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds };
  const write = (properties: Properties) => ({ properties: JSON.stringify(properties) });
  switch (target.of) {
    case 'chat':
      return {
        properties: chat.properties,
        visibility: 'all',
        about,
        save: (properties) => tx.update('chats').where('id', '=', chatId).set(write(properties)).execute(),
      };
    case 'thread': {
      const thread = tx.from('threads').where('id', '=', threadId).where('chatId', '=', chatId);
      const row = await thread.select('properties').executeTakeFirst();
      if (!row) throw notFound('Thread');
      return {
        properties: row.properties,
        visibility: 'all',
        about,
        save: (properties) => tx.update('threads').where('id', '=', threadId).set(write(properties)).execute(),
      };
    }
    case 'event': {
      const row = await getEventRow(tx, target);
      return {
        properties: row.properties,
        visibility: row.visibility,
        about,
        save: (properties) => changeEvent(tx, row, { properties }),
      };
    }
  }
};
