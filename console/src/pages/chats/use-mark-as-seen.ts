import { useEffect, useState } from 'react';
import { markEventsAsSeen } from '#contracts/agent/events.ts';
import { call } from '../../api/call.ts';
import { countUnread } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';

const isLookedAt = (): boolean => !document.hidden && document.hasFocus();

const useIsLookedAt = (): boolean => {
  const [looked, setLooked] = useState(isLookedAt);
  useEffect(() => {
    const look = (): void => setLooked(isLookedAt());
    addEventListener('focus', look);
    addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return looked;
};

/** Marks events as seen while the chat is on screen and the page has the focus. */
export const useMarkAsSeen = (chat: LiveChat | undefined): void => {
  const looked = useIsLookedAt();
  const last = chat?.events.at(-1)?.created_at;
  const isNew = chat?.active === true && chat.isWhole && countUnread(chat, ownLogin()) > 0;
  const chatId = chat?.id;
  useEffect(() => {
    if (!looked || !isNew || last === undefined || chatId === undefined) return;
    // A failure is visible: the chat stays unread.
    call(markEventsAsSeen, { query: {}, body: { chat_id: chatId, seen_up_to: last } }).catch(() => {});
  }, [looked, isNew, last, chatId]);
};
