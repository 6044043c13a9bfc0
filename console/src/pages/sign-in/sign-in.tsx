import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signIn } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeSignInError, enterConsole } from './enter-console.ts';
import { SignInCard } from './sign-in-card.tsx';
import { Form } from './sign-in-form.tsx';
import { t } from './t.ts';
import { TwoStepForm } from './two-step-form.tsx';

export const SignInPage = () => {
  const { back } = useSearch({ from: '/sign-in' });
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [ticket, setTicket] = useState<string>();
  const entering = useMutation({
    mutationFn: async () => {
      const answer = await call(signIn, { body: { login: login.trim(), password } });
      if ('ticket' in answer) setTicket(answer.ticket);
      else await enterConsole(back);
    },
    onError: () => {},
  });
  if (ticket !== undefined) return <TwoStepForm ticket={ticket} back={back} onRestart={() => setTicket(undefined)} />;
  return (
    <SignInCard title={t('signIn')} about={t('signInToYourTeams')}>
      <Form
        submitLabel={t('signIn')}
        isBusy={entering.isPending}
        failure={entering.error ? describeSignInError(entering.error, t('incorrectEmailOrPassword')) : undefined}
        onSubmit={() => entering.mutate()}
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
      </Form>
    </SignInCard>
  );
};
