import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { CopyTextButton } from '../../design/copy-text-button.tsx';
import { t } from './t.ts';

interface RecoveryCodesProps {
  codes: string[];
  onDone(): void;
}

export const RecoveryCodes = ({ codes, onDone }: RecoveryCodesProps) => (
  <Alert color="yellow" title={t('saveYourRecoveryCodes')} role="status">
    <Text size="sm">{t('eachCodeSignsYouIn')}</Text>
    <Code block mt="sm" data-testid="recovery-codes">
      {codes.join('\n')}
    </Code>
    <Group mt="sm" gap="xs">
      <CopyTextButton value={codes.join('\n')} />
      <Button onClick={onDone}>{t('iveSavedThem')}</Button>
    </Group>
  </Alert>
);
