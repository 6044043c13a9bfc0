import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestPasswordReset } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';
import { t } from './t.ts';

export const ForgottenPasswordPage = () => {
  const [login, setLogin] = useState('');
  const asking = useMutation({
    mutationFn: () => call(requestPasswordReset, { body: { login: login.trim() } }),
    onError: () => {},
  });
  if (asking.isSuccess) {
    return (
      <Frame title={t('checkYourInbox')}>
        <Text size="sm" role="status">
          {t('ifAnAccountExistsFor', { email: login.trim() })}
        </Text>
        <Link to="/sign-in" search={{}}>
          {t('backToSignIn')}
        </Link>
      </Frame>
    );
  }
  return (
    <Frame title={t('forgotPassword')} about={t('wellEmailYouALink')}>
      <Form
        submitLabel={t('sendLink')}
        isBusy={asking.isPending}
        failure={asking.error ? describeError(asking.error) : undefined}
        onSubmit={() => asking.mutate()}
        footer={
          <Link to="/sign-in" search={{}}>
            {t('backToSignIn')}
          </Link>
        }
      >
        <TextInput
          label={t('email')}
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
