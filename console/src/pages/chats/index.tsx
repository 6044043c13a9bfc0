import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTitle } from '../../design/page.tsx';
import { Empty } from '../../design/states.tsx';
import { openChat } from '../../realtime/chats/store.ts';
import { useChatLists } from '../../realtime/chats/use-chats.ts';
import { ChatList } from './chat-list.tsx';
import classes from './chats.module.css';
import { Conversation } from './conversation.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { t } from './t.ts';
import { useChatShortcuts } from './use-chat-shortcuts.ts';

const Unselected = () => {
  const { mine, queue } = useChatLists();
  if (mine.length > 0) return <Empty title={t('selectAConversation')} />;
  return (
    <Empty title={t('youreAllCaughtUp')}>
      {queue.length > 0 ? t('customersInQueue', { count: queue.length }) : t('newChatsAppearHereWhile')}
    </Empty>
  );
};

export const ChatsPage = () => {
  const { chatId } = useParams({ strict: false });
  const navigate = useNavigate();
  const { unread } = useChatLists();
  const shortcuts = useChatShortcuts(chatId);
  useTitle(unread > 0 ? t('titleUnread', { count: unread }) : t('chats'));
  useEffect(() => {
    openChat(chatId);
    return () => openChat(undefined);
  }, [chatId]);
  return (
    <div className={classes.board} data-open={chatId !== undefined || undefined}>
      <ChatList openId={chatId} />
      <section className={classes.stage} aria-label={t('conversation')}>
        {chatId === undefined ? (
          <Unselected />
        ) : (
          <Conversation key={chatId} chatId={chatId} onBack={() => void navigate({ to: '/chats' })} />
        )}
      </section>
      <ShortcutHelp opened={shortcuts.isHelpOpen} onClose={shortcuts.closeHelp} />
    </div>
  );
};
