import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listThreads } from '#contracts/agent/threads.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { formatTime } from '../../design/time-ago.tsx';
import { customerOf } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';
import { useOutbox } from '../../realtime/chats/use-chats.ts';
import { EventList } from './event-list.tsx';
import classes from './messages.module.css';
import { t } from './t.ts';
import { TypingLine } from './typing-line.tsx';
import { UnsentMessage } from './unsent-message.tsx';
import { useStickToEnd } from './use-stick-to-end.ts';

/** Rendering more at once would be noticeably slow; older messages load on click. */
const SHOWN = 150;

const useEarlier = (chatId: string, isEnabled: boolean) =>
  useInfiniteQuery({
    queryKey: keys.threads(chatId),
    queryFn: ({ pageParam }) =>
      call(listThreads, {
        body: { chat_id: chatId, ...(pageParam ? { page_id: pageParam } : { limit: 5, sort_order: 'desc' as const }) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_page_id: next }) => next,
    enabled: isEnabled,
  });

export const Messages = ({ chat }: { chat: LiveChat }) => {
  const [isEnabled, setEnabled] = useState(false);
  const [shown, setShown] = useState(SHOWN);
  const earlier = useEarlier(chat.id, isEnabled);
  const outbox = useOutbox(chat.id);
  const threads = (earlier.data?.pages.flatMap((page) => page.threads) ?? [])
    .filter(({ id }) => id !== chat.threadId)
    .reverse();
  const hidden = Math.max(0, chat.events.length - shown);
  const events = hidden > 0 ? chat.events.slice(hidden) : chat.events;
  const { scroller, isAway, toEnd } = useStickToEnd(`${chat.events.length} ${outbox.length} ${chat.isComplete}`);
  const hasEarlier = !isEnabled || earlier.hasNextPage;
  const seenUpTo = customerOf(chat)?.events_seen_up_to;

  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        className={classes.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
        tabIndex={0}
        role="log"
        aria-label={t('messages')}
        aria-busy={!chat.isComplete}
      >
        {hidden > 0 ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + SHOWN)}>
            {t('loadOlderMessages')}
          </Button>
        ) : (
          hasEarlier && (
            <Button
              variant="subtle"
              size="compact-sm"
              loading={earlier.isFetching}
              onClick={() => (isEnabled ? void earlier.fetchNextPage() : setEnabled(true))}
            >
              {t('showEarlierConversations')}
            </Button>
          )
        )}
        {hidden === 0 &&
          threads.map((thread) => (
            <section
              key={thread.id}
              className={classes.thread}
              aria-label={t('conversationFromTime', { time: formatTime(thread.created_at) })}
            >
              <EventList events={thread.events} users={chat.users} ownLogin={ownLogin()} />
              <p className={classes.ended}>{t('thisConversationEnded')}</p>
            </section>
          ))}
        <EventList events={events} users={chat.users} ownLogin={ownLogin()} seenUpTo={seenUpTo} />
        {outbox.map((unsent) => (
          <UnsentMessage key={unsent.customId} unsent={unsent} />
        ))}
        {!chat.active && <p className={classes.ended}>{t('thisConversationHasEnded')}</p>}
      </div>
      {isAway && (
        <Button className={classes.toEnd} size="compact-sm" onClick={toEnd}>
          {t('jumpToLatest')}
        </Button>
      )}
      <TypingLine chat={chat} />
    </div>
  );
};
