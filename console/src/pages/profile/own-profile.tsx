import { Group, Stack, Text, TextInput } from '@mantine/core';
import { updateAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmEmailButton } from '../../app/confirm-email-banner.tsx';
import { Person } from '../../design/person.tsx';
import { EditForm } from '../../editing/edit-form.tsx';
import { collectErrors, required } from '../../editing/field-errors.ts';
import { useEditing } from '../../editing/use-editing.ts';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

export const OwnProfile = () => {
  const { login, email_confirmed, name, job_title, avatar } = useSession();
  const editing = useEditing({
    saved: { name, job_title },
    check: (draft) => collectErrors({ name: required(draft.name), job_title: required(draft.job_title) }),
    save: (draft) => {
      const body = { name: draft.name.trim(), job_title: draft.job_title.trim() };
      return callRest(updateAgent, { params: { login }, body });
    },
    refetch: [keys.session, keys.agents],
  });
  return (
    <SectionCard title={t('yourDetails')} about={t('yourNameAndJobTitle')}>
      <EditForm editing={editing}>
        <Stack gap="md" maw={480}>
          <Person name={name} image={avatar} size={48} detail={login} />
          {!email_confirmed && (
            <Group gap="xs">
              <Text size="sm">{t('yourEmailAddressIsntConfirmed')}</Text>
              <ConfirmEmailButton />
            </Group>
          )}
          <TextInput label={t('name')} required autoComplete="name" {...editing.text('name')} />
          <TextInput label={t('jobTitle')} required autoComplete="organization-title" {...editing.text('job_title')} />
        </Stack>
      </EditForm>
    </SectionCard>
  );
};
