import { PasswordInput, Stack } from '@mantine/core';
import { updateAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { leaveConsole } from '../../app/sign-out.ts';
import { EditForm } from '../../editing/edit-form.tsx';
import { collectErrors, required } from '../../editing/field-errors.ts';
import { useEditing } from '../../editing/use-editing.ts';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

/** Stricter than the API, whose documents allow shorter passwords. */
const MIN_PASSWORD_LENGTH = 8;

const EMPTY_DRAFT = { current_password: '', password: '' };

export const OwnPassword = () => {
  const { login } = useSession();
  const editing = useEditing({
    saved: EMPTY_DRAFT,
    check: ({ current_password, password }) =>
      collectErrors({
        current_password: required(current_password),
        password: password.length < MIN_PASSWORD_LENGTH && t('mustHaveAtLeastMin', { min: MIN_PASSWORD_LENGTH }),
      }),
    save: (body) => callRest(updateAgent, { params: { login }, body }),
    notice: t('passwordChangedSignInWith'),
    onSaved: leaveConsole,
  });
  return (
    <SectionCard title={t('password')} about={t('changingYourPasswordSignsYou')}>
      <EditForm editing={editing} saveLabel={t('changePassword')}>
        <Stack gap="md" maw={480}>
          <PasswordInput
            label={t('currentPassword')}
            autoComplete="current-password"
            required
            {...editing.text('current_password')}
          />
          <PasswordInput label={t('newPassword')} autoComplete="new-password" required {...editing.text('password')} />
        </Stack>
      </EditForm>
    </SectionCard>
  );
};
