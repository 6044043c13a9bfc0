import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestPasswordReset } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { SignInCard } from './sign-in-card.tsx';
import { Form } from './sign-in-form.tsx';
import { t } from './t.ts';

export const ForgottenPasswordPage = () => {
  const [login, setLogin] = useState('');
  const asking = useMutation({
    mutationFn: () => call(requestPasswordReset, { body: { login: login.trim() } }),
    onError: () => {},
  });
  if (asking.isSuccess) {
    return (
      <SignInCard title={t('checkYourInbox')}>
        <Text size="sm" role="status">
          {t('ifAnAccountExistsFor', { email: login.trim() })}
        </Text>
        <Link to="/sign-in" search={{}}>
          {t('backToSignIn')}
        </Link>
      </SignInCard>
    );
  }
  return (
    <SignInCard title={t('forgotPassword')} about={t('wellEmailYouALink')}>
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
    </SignInCard>
  );
};
