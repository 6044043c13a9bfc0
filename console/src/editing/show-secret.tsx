import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { t } from '../i18n/t.ts';

interface SecretProps {
  label: string;
  value: string;
  /** A warning about losing it. */
  children?: string;
}

/** A secret that is shown only once. */
export const ShowSecret = ({ label, value, children }: SecretProps) => (
  <Alert color="yellow" title={label} role="status">
    {children && <Text size="sm">{children}</Text>}
    <Group mt="xs" wrap="nowrap">
      <Code block style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  </Alert>
);
