import { useEffect, useState } from 'react';
import { formatList } from '../../i18n/language.ts';
import { nameOf } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';
import classes from './messages.module.css';
import { t } from './t.ts';

/** A typing indicator expires if no end is reported. */
const TYPING_TIMEOUT_MS = 10_000;

/** Who is typing, and the customer's message preview if there is one. */
export const TypingLine = ({ chat }: { chat: LiveChat }) => {
  const [now, setNow] = useState(() => Date.now());
  const latest = Math.max(0, ...Object.values(chat.typing), chat.sneakPeek?.at ?? 0);
  useEffect(() => {
    setNow(Date.now());
    const wait = latest + TYPING_TIMEOUT_MS - Date.now();
    if (wait <= 0) return;
    const end = setTimeout(() => setNow(Date.now()), wait + 10);
    return () => clearTimeout(end);
  }, [latest]);
  const isFresh = (at: number): boolean => now - at < TYPING_TIMEOUT_MS;
  const writers = chat.users.filter(({ id }) => id !== ownLogin() && isFresh(chat.typing[id] ?? 0));
  const peek = chat.sneakPeek && isFresh(chat.sneakPeek.at) ? chat.sneakPeek.text : undefined;
  return (
    <div className={classes.typing}>
      {peek !== undefined
        ? `✎ ${peek}`
        : writers.length > 0 && t('typing', { count: writers.length, names: formatList(writers.map(nameOf)) })}
    </div>
  );
};
