import { Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestPasswordReset } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInForm, useSignInAction } from './sign-in-form.tsx';
import { t } from './t.ts';

export const ForgottenPasswordPage = () => {
  const [login, setLogin] = useState('');
  const requesting = useSignInAction(() => call(requestPasswordReset, { body: { login: login.trim() } }));
  if (requesting.isDone) {
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
      <SignInForm
        action={requesting}
        submitLabel={t('sendLink')}
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
      </SignInForm>
    </SignInCard>
  );
};
