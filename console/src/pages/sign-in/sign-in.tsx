import { PasswordInput, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signIn } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { ChooseOrganization } from './choose-organization.tsx';
import { enterConsole } from './enter-console.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInForm, useSignInAction } from './sign-in-form.tsx';
import { t } from './t.ts';
import { TwoStepForm } from './two-step-form.tsx';

export const SignInPage = () => {
  const { back } = useSearch({ from: '/sign-in' });
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [ticket, setTicket] = useState<string>();
  const [organizations, setOrganizations] = useState<{ id: string; name: string }[]>();
  const entering = useSignInAction(async (organization_id?: string) => {
    const chosen = organization_id === undefined ? {} : { organization_id };
    const answer = await call(signIn, { body: { login: login.trim(), password, ...chosen } });
    if ('ticket' in answer) setTicket(answer.ticket);
    else if ('organizations' in answer) setOrganizations(answer.organizations);
    else await enterConsole(back);
  }, t('incorrectEmailOrPassword'));
  const restart = () => {
    setTicket(undefined);
    setOrganizations(undefined);
  };
  if (ticket !== undefined) return <TwoStepForm ticket={ticket} back={back} onRestart={restart} />;
  if (organizations) {
    const { isBusy, failure, run } = entering;
    return <ChooseOrganization {...{ organizations, isBusy, failure }} onChoose={run} onRestart={restart} />;
  }
  return (
    <SignInCard title={t('signIn')} about={t('signInToYourTeams')}>
      <SignInForm
        action={entering}
        submitLabel={t('signIn')}
        footer={<Link to="/forgotten-password">{t('forgotPassword')}</Link>}
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
        <PasswordInput
          mt="sm"
          label={t('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </SignInForm>
    </SignInCard>
  );
};
