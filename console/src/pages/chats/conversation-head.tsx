import { ActionIcon, Badge, Button, Group, Menu, Text, Title, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isAdministrator, useSession } from '../../api/session.ts';
import { Icon } from '../../design/icon.tsx';
import { customerOf, listOf, nameOf } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { closeChat, joinChat, leaveChat, reopenChat, setFollowed, supervise, takeChat, useAction } from './actions.ts';
import { CloseChatDialog } from './close-chat-dialog.tsx';
import classes from './conversation.module.css';
import { TagBar } from './tag-bar.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { WhyThisAgent } from './why-this-agent.tsx';

interface HeadProps {
  chat: LiveChat;
  onBack(): void;
  onCustomer(): void;
}

const stateOf = (chat: LiveChat, login: string): string => {
  if (!chat.active) return 'Closed';
  const agents = chat.users.filter(
    ({ type, present, visibility }) => type === 'agent' && present && visibility !== 'agents',
  );
  if (agents.length === 0) return chat.queue ? `In the queue, number ${chat.queue.position}` : 'Waits for an agent';
  return `With ${agents.map(({ id, name }) => (id === login ? 'you' : (name ?? id))).join(' and ')}`;
};

export const ConversationHead = ({ chat, onBack, onCustomer }: HeadProps) => {
  const session = useSession();
  const [isTransferring, transfer] = useDisclosure(false);
  const [isAsking, why] = useDisclosure(false);
  const [isClosing, closing] = useDisclosure(false);
  const taking = useAction(() => takeChat(chat));
  const supervising = useAction(() => supervise(chat));
  const joining = useAction(() => joinChat(chat));
  const leaving = useAction(() => leaveChat(chat));
  const following = useAction((followed: boolean) => setFollowed(chat, followed));
  const reopening = useAction(() => reopenChat(chat));

  const list = listOf(chat, session.login);
  const own = chat.users.find(({ id, present }) => id === session.login && present);
  const isSilent = own?.visibility === 'agents';
  const mayClose = own !== undefined || isAdministrator(session);
  const customer = customerOf(chat);

  return (
    <>
      <header className={classes.head}>
        <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" onClick={onBack} aria-label="Back to the chats">
          <Icon name="back" />
        </ActionIcon>
        <div className={classes.who}>
          <Title order={2} size="h4" lineClamp={1}>
            {nameOf(customer)}
          </Title>
          <Text size="xs" c="dimmed" truncate>
            {stateOf(chat, session.login)}
            {isSilent && ' · you supervise'}
          </Text>
        </div>
        <Group gap={6} wrap="nowrap">
          {chat.active && list !== 'mine' && (
            <Button size="xs" loading={taking.isPending} onClick={() => taking.mutate()} data-shortcut="take">
              Take
            </Button>
          )}
          {chat.active && !own && (
            <Button
              size="xs"
              variant="default"
              visibleFrom="md"
              loading={supervising.isPending}
              onClick={() => supervising.mutate()}
            >
              Supervise
            </Button>
          )}
          {chat.active && (
            <Button size="xs" variant="default" visibleFrom="md" onClick={transfer.open} data-shortcut="transfer">
              Transfer
            </Button>
          )}
          {chat.active && mayClose && (
            <Button size="xs" variant="default" onClick={closing.open} data-shortcut="close-chat">
              Close
            </Button>
          )}
          {!chat.active && (
            <Button size="xs" loading={reopening.isPending} onClick={() => reopening.mutate()}>
              Start again
            </Button>
          )}
          <Menu position="bottom-end" shadow="md">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label="More actions">
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {chat.active && !own && <Menu.Item onClick={() => supervising.mutate()}>Supervise silently</Menu.Item>}
              {chat.active && !own && <Menu.Item onClick={() => joining.mutate()}>Join visibly</Menu.Item>}
              {chat.active && isSilent && <Menu.Item onClick={() => joining.mutate()}>Show yourself</Menu.Item>}
              {chat.active && own && (
                <Menu.Item onClick={() => leaving.mutate()}>
                  {isSilent ? 'Stop supervising' : 'Leave the chat'}
                </Menu.Item>
              )}
              {chat.active && <Menu.Item onClick={transfer.open}>Transfer</Menu.Item>}
              <Menu.Item onClick={() => following.mutate(!chat.isFollowed)}>
                {chat.isFollowed ? 'Stop following' : 'Follow'}
              </Menu.Item>
              <Menu.Item onClick={why.open}>Why this agent?</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Tooltip label="About the customer (I)">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="About the customer"
              onClick={onCustomer}
              data-shortcut="customer"
            >
              <Icon name="info" />
            </ActionIcon>
          </Tooltip>
        </Group>
      </header>
      <div className={classes.tags}>
        {chat.isFollowed && <Badge variant="light">Followed</Badge>}
        <TagBar chat={chat} />
      </div>
      <TransferDialog chat={chat} opened={isTransferring} onClose={transfer.close} />
      <WhyThisAgent chatId={chat.id} opened={isAsking} onClose={why.close} />
      <CloseChatDialog opened={isClosing} onClose={closing.close} onConfirm={() => closeChat(chat)} />
    </>
  );
};
