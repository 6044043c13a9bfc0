import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signIn } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { enterConsole, explain } from './enter.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';
import { SecondStep } from './second-step.tsx';
import { t } from './t.ts';

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
  if (ticket !== undefined) return <SecondStep ticket={ticket} back={back} onAgain={() => setTicket(undefined)} />;
  return (
    <Frame title={t('signIn')} about={t('signInToYourTeams')}>
      <Form
        submitLabel={t('signIn')}
        isBusy={entering.isPending}
        failure={entering.error ? explain(entering.error, t('incorrectEmailOrPassword')) : undefined}
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
    </Frame>
  );
};
