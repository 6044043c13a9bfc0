import { useMemo, useSyncExternalStore } from 'react';
import { byList, type ChatLists } from './lists.ts';
import type { Outbox } from './outbox.ts';
import type { LiveChat } from './state.ts';
import { chatListFailure, currentChats, currentOutbox, isChatListRead, ownLogin, subscribeChats } from './store.ts';

/** Rerenders only when this chat changes. */
export const useChat = (id: string | undefined): LiveChat | undefined =>
  useSyncExternalStore(subscribeChats, () => (id === undefined ? undefined : currentChats().get(id)));

export const useOutbox = (chatId: string): Outbox => {
  const outbox = useSyncExternalStore(subscribeChats, currentOutbox);
  return useMemo(() => outbox.filter((unsent) => unsent.chatId === chatId), [outbox, chatId]);
};

export const useChatLists = (): ChatLists =>
  useSyncExternalStore(subscribeChats, () => byList(currentChats(), ownLogin()));

export const useChatListState = () => ({
  isRead: useSyncExternalStore(subscribeChats, isChatListRead),
  failure: useSyncExternalStore(subscribeChats, chatListFailure),
});
