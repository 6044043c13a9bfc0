import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorText, Form } from '../design/form.tsx';
import { t } from '../i18n/t.ts';
import { useSubmit } from './use-submit.ts';

interface AskPasswordProps {
  label: string;
  onPassword(password: string, code?: string): Promise<unknown>;
  onCancel(): void;
  /** Also asks for a code of two-step verification. */
  withCode?: boolean;
}

/** Confirms a sensitive action with the password, so an unattended browser is not enough. */
export const AskPassword = ({ label, onPassword, onCancel, withCode = false }: AskPasswordProps) => {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { submit, isBusy, failure } = useSubmit(() => onPassword(password, withCode ? code : undefined));
  return (
    <Form noValidate onSubmit={() => submit()}>
      <Stack gap="sm" maw={480}>
        <PasswordInput
          label={t('yourPassword')}
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        {withCode && (
          <TextInput
            label={t('authenticatorOrRecoveryCode')}
            autoComplete="one-time-code"
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        <ErrorText role="alert">{failure}</ErrorText>
        <Group gap="xs">
          <Button type="submit" loading={isBusy} disabled={password === '' || (withCode && code === '')}>
            {label}
          </Button>
          <Button variant="subtle" onClick={onCancel}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
