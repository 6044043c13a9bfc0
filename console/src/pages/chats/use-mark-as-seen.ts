import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { markEventsAsSeen } from '#contracts/agent/events.ts';
import { call } from '../../api/call.ts';
import { isPageFocused } from '../../notify/watch-chats.ts';
import { countUnread } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';

const usePageFocus = (): boolean => {
  const [hasFocus, setHasFocus] = useState(isPageFocused);
  const update = (): void => setHasFocus(isPageFocused());
  useWindowEvent('focus', update);
  useWindowEvent('blur', update);
  // Fired at the document, from which it bubbles.
  useWindowEvent('visibilitychange', update);
  return hasFocus;
};

/** Marks events as seen while the chat is on screen and the page has the focus. */
export const useMarkAsSeen = (chat: LiveChat | undefined): void => {
  const hasFocus = usePageFocus();
  const last = chat?.events.at(-1)?.created_at;
  const isNew = chat?.active === true && chat.isComplete && countUnread(chat, ownLogin()) > 0;
  const chatId = chat?.id;
  useEffect(() => {
    if (!hasFocus || !isNew || last === undefined || chatId === undefined) return;
    // A failure is visible: the chat stays unread.
    call(markEventsAsSeen, { body: { chat_id: chatId, seen_up_to: last } }).catch(() => {});
  }, [hasFocus, isNew, last, chatId]);
};
