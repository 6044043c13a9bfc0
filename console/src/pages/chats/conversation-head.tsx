import { Badge, Button, Group, Menu, Title, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isAdministrator, useSession } from '../../api/session.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { Dimmed } from '../../design/dimmed.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { useAction } from '../../design/use-action.ts';
import { formatList } from '../../i18n/language.ts';
import { customerOf, listOf, nameOf } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { closeChat, joinChat, leaveChat, reopenChat, setFollowed, supervise, takeChat } from './actions.ts';
import { AssignmentHistory } from './assignment-history.tsx';
import classes from './conversation.module.css';
import { t } from './t.ts';
import { TagBar } from './tag-bar.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

interface HeadProps {
  chat: LiveChat;
  onBack(): void;
  onCustomer(): void;
}

const stateOf = (chat: LiveChat, login: string): string => {
  if (!chat.active) return t('ended');
  const agents = chat.users.filter(
    ({ type, present, visibility }) => type === 'agent' && present && visibility !== 'agents',
  );
  if (agents.length === 0)
    return chat.queue ? t('queuePosition', { position: chat.queue.position }) : t('waitingForAnAgent');
  const names = agents.map(({ id, name }) => (id === login ? t('you') : (name ?? id)));
  return t('assignedToAgents', { agents: formatList(names) });
};

export const ConversationHead = ({ chat, onBack, onCustomer }: HeadProps) => {
  const session = useSession();
  const [isTransferring, transfer] = useDisclosure(false);
  const [isHistoryOpen, why] = useDisclosure(false);
  const taking = useAction(() => takeChat(chat));
  const supervising = useAction(() => supervise(chat));
  const joining = useAction(() => joinChat(chat));
  const leaving = useAction(() => leaveChat(chat));
  const following = useAction((followed: boolean) => setFollowed(chat, followed));
  const reopening = useAction(() => reopenChat(chat));

  const list = listOf(chat, session.login);
  const own = chat.users.find(({ id, present }) => id === session.login && present);
  const isSilent = own?.visibility === 'agents';
  const canEnd = own !== undefined || isAdministrator(session);
  const customer = customerOf(chat);

  return (
    <>
      <header className={classes.head}>
        <IconButton icon="back" hiddenFrom="sm" onClick={onBack} label={t('backToChats')} />
        <div className={classes.who}>
          <Title order={2} size="h4" lineClamp={1}>
            {nameOf(customer)}
          </Title>
          <Dimmed size="xs" truncate>
            {stateOf(chat, session.login)}
            {isSilent && ` · ${t('youAreMonitoring')}`}
          </Dimmed>
        </div>
        <Group gap={6} wrap="nowrap">
          {chat.active && list !== 'mine' && (
            <Button size="xs" loading={taking.isPending} onClick={() => taking.mutate()} data-shortcut="take">
              {t('assignToMe')}
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
              {t('monitor')}
            </Button>
          )}
          {chat.active && (
            <Button size="xs" variant="default" visibleFrom="md" onClick={transfer.open} data-shortcut="transfer">
              {t('transfer')}
            </Button>
          )}
          {chat.active && canEnd && (
            <ConfirmButton
              size="xs"
              label={t('endChat')}
              question={t('endThisChat')}
              confirmColor="accent"
              onConfirm={() => closeChat(chat)}
              data-shortcut="close-chat"
            >
              {t('theChatMovesToArchives')}
            </ConfirmButton>
          )}
          {!chat.active && (
            <Button size="xs" loading={reopening.isPending} onClick={() => reopening.mutate()}>
              {t('reopen')}
            </Button>
          )}
          <Menu position="bottom-end" shadow="md">
            <Menu.Target>
              <IconButton icon="more" label={t('moreActions')} />
            </Menu.Target>
            <Menu.Dropdown>
              {chat.active && !own && <Menu.Item onClick={() => supervising.mutate()}>{t('monitor')}</Menu.Item>}
              {chat.active && !own && <Menu.Item onClick={() => joining.mutate()}>{t('joinChat')}</Menu.Item>}
              {chat.active && isSilent && <Menu.Item onClick={() => joining.mutate()}>{t('becomeVisible')}</Menu.Item>}
              {chat.active && own && (
                <Menu.Item onClick={() => leaving.mutate()}>
                  {isSilent ? t('stopMonitoring') : t('leaveChat')}
                </Menu.Item>
              )}
              {chat.active && <Menu.Item onClick={transfer.open}>{t('transfer')}</Menu.Item>}
              <Menu.Item onClick={() => following.mutate(!chat.isFollowed)}>
                {chat.isFollowed ? t('unfollow') : t('follow')}
              </Menu.Item>
              <Menu.Item onClick={why.open}>{t('whyThisAgent')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Tooltip label={t('customerDetailsHint')}>
            <IconButton icon="info" label={t('customerDetails')} onClick={onCustomer} data-shortcut="customer" />
          </Tooltip>
        </Group>
      </header>
      <div className={classes.tags}>
        {chat.isFollowed && <Badge variant="light">{t('following')}</Badge>}
        <TagBar chat={chat} />
      </div>
      <TransferDialog chat={chat} opened={isTransferring} onClose={transfer.close} />
      <AssignmentHistory chatId={chat.id} opened={isHistoryOpen} onClose={why.close} />
    </>
  );
};
