import { useNavigate } from '@tanstack/react-router';
import { createAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { Page } from '../../design/page.tsx';
import { BackLink } from '../../editing/back-link.tsx';
import { EditForm } from '../../editing/edit-form.tsx';
import { useEditing } from '../../editing/use-editing.ts';
import { type AgentDraft, checkAgent, NEW_AGENT } from './agent-draft.ts';
import { AgentFields } from './agent-fields.tsx';
import { t } from './t.ts';

const invite = (draft: AgentDraft) =>
  callRest(createAgent, {
    body: {
      login: draft.login.trim(),
      name: draft.name.trim(),
      permission: draft.permission === 'administrator' ? 'administrator' : 'normal',
      groups: draft.groups,
      max_chats_count: draft.max_chats_count,
      ...(draft.job_title.trim() ? { job_title: draft.job_title.trim() } : {}),
    },
  });

export const NewAgent = () => {
  const navigate = useNavigate();
  const editing = useEditing({
    saved: NEW_AGENT,
    check: checkAgent,
    save: invite,
    refetch: [keys.agents, keys.groups],
    notice: ({ login }) => t('invitationSentToEmail', { email: login.trim() }),
    onSaved: () => navigate({ to: '/team/$', params: { _splat: '' } }),
  });
  return (
    <Page
      title={t('inviteAgent')}
      about={t('wellEmailAnInvitationWith')}
      actions={<BackLink to="/team/$" path="" label={t('agents')} />}
    >
      <EditForm editing={editing} isNew saveLabel={t('sendInvitation')}>
        <AgentFields editing={editing} isNew />
      </EditForm>
    </Page>
  );
};
