import { Modal, NavLink, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAgentsForTransfer } from '#contracts/agent/routing.ts';
import { call } from '../../api/call.ts';
import { agentsQuery, groupsQuery } from '../../api/people.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { Avatar } from '../../design/person.tsx';
import { Empty, Failure, Loading } from '../../design/states.tsx';
import { useAction } from '../../design/use-action.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { transferTo } from './actions.ts';
import { t } from './t.ts';

interface TransferDialogProps {
  chat: LiveChat;
  opened: boolean;
  onClose(): void;
}

interface Target {
  type: 'agent' | 'group';
  id: string | number;
  name: string;
  detail: string;
}

const GROUP_STATUSES = {
  'accepting chats': t('acceptingChats'),
  'not accepting chats': t('notAcceptingChats'),
  offline: t('offline'),
} as const;

const useTargets = (chat: LiveChat, opened: boolean) => {
  const agents = useQuery(agentsQuery);
  const groups = useQuery(groupsQuery);
  const free = useQuery({
    queryKey: ['transfer-agents', chat.id],
    queryFn: () => call(listAgentsForTransfer, { body: { chat_id: chat.id } }),
    enabled: opened,
    staleTime: 0,
  });
  const names = new Map(agents.data?.map(({ login, name }) => [login, name]));
  const toAgents = free.data?.map(
    ({ agent_id: id, total_active_chats: count }): Target => ({
      ...{ type: 'agent', id, name: names.get(id) ?? id },
      detail: t('chatCount', { count }),
    }),
  );
  const toGroups = groups.data?.map(
    ({ id, name, status }): Target => ({ type: 'group', id, name, detail: GROUP_STATUSES[status] }),
  );
  return { toAgents, toGroups, error: free.error ?? groups.error };
};

export const TransferDialog = ({ chat, opened, onClose }: TransferDialogProps) => {
  const [type, setType] = useState<Target['type']>('agent');
  const [search, setSearch] = useState('');
  const { toAgents, toGroups, error } = useTargets(chat, opened);
  const sending = useAction(async ({ type: to, id, name }: Target) => {
    await transferTo(chat, to, id);
    notifySuccess(t('transferredToName', { name }));
    onClose();
  });
  const all = type === 'agent' ? toAgents : toGroups;
  const found = all?.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));

  const rows = () => {
    if (error) return <Failure error={error} />;
    if (!found) return <Loading />;
    if (found.length === 0) return <Empty title={type === 'agent' ? t('noAgentsAvailable') : t('noMatchingGroups')} />;
    return found.map((target) => (
      <NavLink
        key={target.id}
        component="button"
        label={target.name}
        description={target.detail}
        leftSection={<Avatar name={target.name} size={30} />}
        disabled={sending.isPending}
        onClick={() => sending.mutate(target)}
      />
    ));
  };

  return (
    <Modal opened={opened} onClose={onClose} title={t('transferChat')}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('transferTo')}
          data={[
            { value: 'agent', label: t('agent') },
            { value: 'group', label: t('group') },
          ]}
          value={type}
          onChange={(value) => setType(value as Target['type'])}
        />
        <TextInput
          label={t('search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
        <div>{rows()}</div>
        <Dimmed size="xs">{t('inAGroupTheChat')}</Dimmed>
      </Stack>
    </Modal>
  );
};
