import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';
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
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
      <Button onClick={onDone}>{t('iveSavedThem')}</Button>
    </Group>
  </Alert>
);
