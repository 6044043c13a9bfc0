import { PasswordInput, Stack } from '@mantine/core';
import { updateAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { leaveConsole } from '../../app/sign-out.ts';
import { sayDone } from '../../design/notices.ts';
import { EditForm } from '../../editing/edit-form.tsx';
import { collectFaults, required } from '../../editing/faults.ts';
import { useEditing } from '../../editing/use-editing.ts';
import { SectionCard } from './section-card.tsx';

/** The documents of the API let shorter ones pass; whoever chooses one here chooses a better one. */
const SHORTEST = 8;

const NOTHING = { current_password: '', password: '' };

export const OwnPassword = () => {
  const { login } = useSession();
  const editing = useEditing({
    saved: NOTHING,
    check: ({ current_password, password }) =>
      collectFaults({
        current_password: required(current_password),
        password: password.length < SHORTEST && `Must have at least ${SHORTEST} characters.`,
      }),
    save: (body) => callRest(updateAgent, { params: { login }, body }),
    onSaved: () => {
      sayDone('Your password is changed. Sign in with it.');
      void leaveConsole();
    },
  });
  return (
    <SectionCard title="Password" about="Changing it signs you out everywhere, here too.">
      <EditForm editing={editing} saveLabel="Change the password">
        <Stack gap="md" maw={480}>
          <PasswordInput
            label="Your password now"
            autoComplete="current-password"
            required
            {...editing.text('current_password')}
          />
          <PasswordInput label="New password" autoComplete="new-password" required {...editing.text('password')} />
        </Stack>
      </EditForm>
    </SectionCard>
  );
};
