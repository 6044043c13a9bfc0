import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Agent, deleteAgent, updateAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { ErrorText } from '../../design/form.tsx';
import { Page } from '../../design/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { BackLink } from '../../editing/back-link.tsx';
import { EditForm } from '../../editing/edit-form.tsx';
import { useEditing } from '../../editing/use-editing.ts';
import { changesOf, checkAgent, readAgent } from './agent-draft.ts';
import { AgentFields } from './agent-fields.tsx';
import { agentQuery } from './agent-query.ts';
import { AgentStatusSwitch } from './agent-status-switch.tsx';
import { ResetTwoFactor } from './reset-two-factor.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { t } from './t.ts';

const AgentForm = ({ agent }: { agent: Agent }) => {
  const navigate = useNavigate();
  const { login: ownLogin } = useSession();
  const { login, name } = agent;
  const saved = readAgent(agent);
  const editing = useEditing({
    saved,
    check: checkAgent,
    save: (draft) => callRest(updateAgent, { params: { login }, body: changesOf(saved, draft) }),
    refetch: [keys.agents, keys.groups],
  });
  const remove = async (): Promise<void> => {
    await callRest(deleteAgent, { params: { login } });
    editing.reset();
    void navigate({ to: '/team/$', params: { _splat: '' } });
    queryClient.removeQueries({ queryKey: [...keys.agents, login] });
  };
  const canRemove = agent.permission !== 'owner' && login !== ownLogin;
  return (
    <EditForm
      editing={editing}
      aside={
        canRemove && (
          <ConfirmButton
            label={t('removeAgent')}
            question={t('removeName', { name })}
            onConfirm={remove}
            refetch={[keys.agents, keys.groups]}
            notice={t('nameWasRemoved', { name })}
          >
            {t('theAgentIsSignedOut')}
          </ConfirmButton>
        )
      }
    >
      <AgentFields editing={editing} />
      <ScheduleFields
        week={editing.draft.work_scheduler}
        onChange={(week) => editing.change({ work_scheduler: week })}
      />
      <ErrorText>{editing.errorFor('work_scheduler')}</ErrorText>
    </EditForm>
  );
};

export const EditAgent = ({ login }: { login: string }) => {
  const { login: ownLogin } = useSession();
  const query = useQuery(agentQuery(login));
  return (
    <Page
      title={query.data?.name ?? t('agent')}
      about={login}
      actions={<BackLink to="/team/$" path="" label={t('agents')} />}
    >
      <AgentStatusSwitch login={login} />
      <Loaded query={query}>{(agent) => <AgentForm key={agent.login} agent={agent} />}</Loaded>
      {login !== ownLogin && <ResetTwoFactor login={login} />}
    </Page>
  );
};
