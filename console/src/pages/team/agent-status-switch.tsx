import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { updateAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { agentsQuery } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { notifyError } from '../../design/notices.ts';
import { t } from './t.ts';

/** Lets an administrator change the status of an agent who forgot to. */
export const AgentStatusSwitch = ({ login }: { login: string }) => {
  const client = useQueryClient();
  const { data: agents = [] } = useQuery(agentsQuery);
  const status = agents.find((agent) => agent.login === login)?.status;
  const turning = useMutation({
    mutationFn: (takes: boolean) =>
      callRest(updateAgent, {
        params: { login },
        body: { status: takes ? 'accepting chats' : 'not accepting chats' },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.agents }),
    onError: (error) => notifyError(describeError(error)),
  });
  if (status === undefined) return null;
  return (
    <Switch
      mb="md"
      label={t('acceptingChats')}
      description={status === 'offline' ? t('theAgentIsOffline') : undefined}
      checked={turning.isPending ? turning.variables : status === 'accepting chats'}
      onChange={({ currentTarget }) => turning.mutate(currentTarget.checked)}
    />
  );
};
