import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Avatar } from '../../design/person.tsx';
import { ownImage } from '../../design/safe-url.ts';
import { formatSpan, TimeAgo, useNow } from '../../design/time-ago.tsx';
import { countUnread, customerOf, type ListName, lastShown, nameOf, waitingSince } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';
import { useChat } from '../../realtime/chats/use-chats.ts';
import classes from './chat-list.module.css';
import { describeEvent } from './describe-event.ts';
import { t } from './t.ts';

const LONG_WAIT_MS = 2 * 60_000;

const Waiting = ({ since }: { since: string }) => {
  const waited = useNow() - Date.parse(since);
  return (
    <div className={classes.side} data-long={waited > LONG_WAIT_MS || undefined}>
      <span title={t('timeTheCustomerHasBeen')}>
        <span className={classes.hidden}>{t('waiting')} </span>
        {formatSpan(waited / 1000)}
      </span>
    </div>
  );
};

const Text = ({ chat, unread }: { chat: LiveChat; unread: number }) => {
  if (chat.sneakPeek) {
    return (
      <div className={classes.text} data-peek>
        ✎ {chat.sneakPeek.text}
      </div>
    );
  }
  const last = lastShown(chat);
  return (
    <div className={classes.text} data-unread={unread > 0 || undefined}>
      {last ? describeEvent(last, chat) : t('noMessagesYet')}
    </div>
  );
};

interface ChatRowProps {
  chatId: string;
  list: ListName;
  isOpen: boolean;
}

export const ChatRow = memo(({ chatId, list, isOpen }: ChatRowProps) => {
  const chat = useChat(chatId);
  if (!chat) return null;
  const customer = customerOf(chat);
  const name = nameOf(customer);
  const unread = list === 'mine' || list === 'supervised' ? countUnread(chat, ownLogin()) : 0;
  const since = waitingSince(chat);
  return (
    <Link
      to="/chats/$chatId"
      params={{ chatId }}
      preload={false}
      className={classes.row}
      aria-current={isOpen ? 'true' : undefined}
      data-chat={chatId}
    >
      <Avatar name={name} image={ownImage(customer?.avatar)} size={36} />
      <div style={{ minWidth: 0 }}>
        <div className={classes.name}>{name}</div>
        <Text chat={chat} unread={unread} />
      </div>
      <div className={classes.side}>
        {since ? <Waiting since={since} /> : <TimeAgo at={lastShown(chat)?.created_at ?? chat.threadCreatedAt} short />}
        {unread > 0 && (
          <span className={classes.unread}>
            <span aria-hidden>{unread}</span>
            <span className={classes.hidden}>{t('countUnread', { count: unread })}</span>
          </span>
        )}
      </div>
    </Link>
  );
});
