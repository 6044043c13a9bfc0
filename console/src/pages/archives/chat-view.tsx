import { Group, Title } from '@mantine/core';
import { CloseLink } from '../../design/icon-button.tsx';
import { Loaded } from '../../design/states.tsx';
import { ChatDetails } from './chat-details.tsx';
import { t } from './t.ts';
import classes from './transcript.module.css';
import { Transcript } from './transcript.tsx';
import { useArchivedChat } from './use-archives.ts';

export const ChatView = ({ id, zone }: { id: string; zone: string | undefined }) => (
  <Loaded query={useArchivedChat(id, zone)}>
    {(chat) => (
      <section className={classes.view} aria-label={t('chatWithName', { name: chat.visitor.name })}>
        <Group className={classes.head} justify="space-between" wrap="nowrap">
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {chat.visitor.name}
          </Title>
          <CloseLink to="/archives" label={t('closeChat')} />
        </Group>
        <div className={classes.columns}>
          <Transcript events={chat.events} />
          <aside className={classes.side} aria-label={t('chatDetails')}>
            <ChatDetails chat={chat} />
          </aside>
        </div>
      </section>
    )}
  </Loaded>
);
