import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../i18n/t.ts';
import { describeFormError } from './field-errors.ts';

interface AskPasswordProps {
  label: string;
  onPassword(password: string): Promise<unknown>;
  onCancel(): void;
}

/** Confirms a sensitive action with the password, so an unattended browser is not enough. */
export const AskPassword = ({ label, onPassword, onCancel }: AskPasswordProps) => {
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onPassword(password);
    } catch (error) {
      setFailure(describeFormError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <Stack gap="sm" maw={480}>
        <PasswordInput
          label={t('yourPassword')}
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        {failure && (
          <Text size="sm" c="var(--danger)" role="alert">
            {failure}
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" loading={isBusy} disabled={password === ''}>
            {label}
          </Button>
          <Button variant="subtle" onClick={onCancel}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
