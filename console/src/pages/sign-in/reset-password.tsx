import { PasswordInput, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { explain } from './enter.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';

const LEAST_LENGTH = 8;

export const ResetPasswordPage = () => {
  const { token } = useSearch({ from: '/reset-password' });
  const [password, setPassword] = useState('');
  const changing = useMutation({
    mutationFn: () => call(resetPassword, { body: { token: token ?? '', password } }),
    onError: () => {},
  });
  if (!token) {
    return (
      <Frame title="This link is not whole" about="Open it from the mail again, or ask for another one.">
        <Link to="/forgotten-password">Ask for another one</Link>
      </Frame>
    );
  }
  if (changing.isSuccess) {
    return (
      <Frame title="The password is changed">
        <Text size="sm" role="status">
          All browsers are signed out. Sign in with the new one.
        </Text>
        <Link to="/sign-in" search={{}}>
          Sign in
        </Link>
      </Frame>
    );
  }
  return (
    <Frame title="Choose a password" about={`At least ${LEAST_LENGTH} characters; the longer the better.`}>
      <Form
        submitLabel="Change the password"
        isBusy={changing.isPending}
        failure={changing.error ? explain(changing.error, 'This link has been used, or is too old.') : undefined}
        onSubmit={() => changing.mutate()}
        footer={<Link to="/forgotten-password">Ask for another link</Link>}
      >
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={LEAST_LENGTH}
          value={password}
          visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </Form>
    </Frame>
  );
};
