import { Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty, Failure, Loading } from '../../design/states.tsx';
import { readChat } from '../../realtime/chats/store.ts';
import { useChat } from '../../realtime/chats/use-chats.ts';
import { Composer } from './composer.tsx';
import classes from './conversation.module.css';
import { ConversationHead } from './conversation-head.tsx';
import { CustomerPanel } from './customer-panel.tsx';
import { FileDrop } from './file-drop.tsx';
import { Messages } from './messages.tsx';
import { t } from './t.ts';
import { useMarkAsSeen } from './use-mark-as-seen.ts';

interface ConversationProps {
  chatId: string;
  onBack(): void;
}

const WIDE = '(min-width: 75em)';

export const Conversation = ({ chatId, onBack }: ConversationProps) => {
  const chat = useChat(chatId);
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const [isBeside, setBeside] = useState(true);
  const [isOver, { open, close }] = useDisclosure(false);
  // The store fetches the chat; this query only tracks the request.
  const reading = useQuery({
    queryKey: ['open-chat', chatId],
    queryFn: async () => {
      await readChat(chatId);
      return true;
    },
    enabled: chat === undefined || !chat.isComplete,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useMarkAsSeen(chat);
  if (!chat) {
    if (reading.error) return <Failure error={reading.error} onRetry={() => void reading.refetch()} />;
    return reading.isPending ? <Loading label={t('loadingChat')} /> : <Empty title={t('thisChatNoLongerExists')} />;
  }
  const toggleCustomer = (): void => {
    if (isWide) setBeside(!isBeside);
    else open();
  };
  return (
    <div className={classes.split}>
      <FileDrop chatId={chatId}>
        <ConversationHead chat={chat} onBack={onBack} onCustomer={toggleCustomer} />
        <Messages chat={chat} />
        <Composer chat={chat} />
      </FileDrop>
      {isWide && isBeside && (
        <aside className={classes.aside} aria-label={t('customerDetails')}>
          <CustomerPanel chat={chat} />
        </aside>
      )}
      <Drawer opened={isOver && !isWide} onClose={close} position="right" title={t('customerDetails')}>
        <CustomerPanel chat={chat} />
      </Drawer>
    </div>
  );
};
