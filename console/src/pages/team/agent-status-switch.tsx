import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { updateAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { agentsQuery } from '../../api/people.ts';
import { keys, refetch } from '../../api/queries.ts';
import { useAction } from '../../design/use-action.ts';
import { t } from './t.ts';

/** Lets an administrator change the status of an agent who forgot to. */
export const AgentStatusSwitch = ({ login }: { login: string }) => {
  const { data: agents = [] } = useQuery(agentsQuery);
  const status = agents.find((agent) => agent.login === login)?.status;
  const switching = useAction(async (takes: boolean) => {
    const body = { status: takes ? 'accepting chats' : 'not accepting chats' } as const;
    await callRest(updateAgent, { params: { login }, body });
    await refetch(keys.agents);
  });
  if (status === undefined) return null;
  return (
    <Switch
      mb="md"
      label={t('acceptingChats')}
      description={status === 'offline' ? t('theAgentIsOffline') : undefined}
      checked={switching.isPending ? switching.variables : status === 'accepting chats'}
      onChange={({ currentTarget }) => switching.mutate(currentTarget.checked)}
    />
  );
};
