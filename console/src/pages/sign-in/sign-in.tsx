import { Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CallFailedError } from '#contracts/client.ts';
import { signIn } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { enterConsole } from './enter.ts';
import { Frame } from './frame.tsx';

const explain = (error: unknown): string =>
  error instanceof CallFailedError && error.status === 401
    ? 'The e-mail address or the password is wrong.'
    : describeError(error);

export const SignInPage = () => {
  const { back } = useSearch({ from: '/sign-in' });
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const entering = useMutation({
    mutationFn: async () => {
      await call(signIn, { body: { login: login.trim(), password } });
      await enterConsole(back);
    },
    onError: () => {},
  });
  return (
    <Frame title="Sign in" about="To the console of your team.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          entering.mutate();
        }}
      >
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          data-autofocus
        />
        <PasswordInput
          mt="sm"
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {entering.error && (
          <Text mt="sm" size="sm" c="var(--bad)" role="alert">
            {explain(entering.error)}
          </Text>
        )}
        <Button mt="lg" fullWidth type="submit" loading={entering.isPending}>
          Sign in
        </Button>
      </form>
    </Frame>
  );
};
