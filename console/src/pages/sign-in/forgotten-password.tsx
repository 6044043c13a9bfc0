import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestPasswordReset } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';

export const ForgottenPasswordPage = () => {
  const [login, setLogin] = useState('');
  const asking = useMutation({
    mutationFn: () => call(requestPasswordReset, { body: { login: login.trim() } }),
    onError: () => {},
  });
  if (asking.isSuccess) {
    return (
      <Frame title="Look into your mail">
        <Text size="sm" role="status">
          If somebody works here under {login.trim()}, a link to choose another password is on its way. It counts for an
          hour.
        </Text>
        <Link to="/sign-in" search={{}}>
          Back to signing in
        </Link>
      </Frame>
    );
  }
  return (
    <Frame title="Forgotten the password?" about="We mail you a link to choose another one.">
      <Form
        submitLabel="Send the link"
        isBusy={asking.isPending}
        failure={asking.error ? describeError(asking.error) : undefined}
        onSubmit={() => asking.mutate()}
        footer={
          <Link to="/sign-in" search={{}}>
            Back to signing in
          </Link>
        }
      >
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
      </Form>
    </Frame>
  );
};
