import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';

interface RecoveryCodesProps {
  codes: string[];
  onDone(): void;
}

export const RecoveryCodes = ({ codes, onDone }: RecoveryCodesProps) => (
  <Alert color="yellow" title="Keep these recovery codes" role="status">
    <Text size="sm">
      Each lets you in once when your device is lost. They are shown this once: print them, or keep them where you keep
      passwords.
    </Text>
    <Code block mt="sm" data-testid="recovery-codes">
      {codes.join('\n')}
    </Code>
    <Group mt="sm" gap="xs">
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button onClick={onDone}>I have kept them</Button>
    </Group>
  </Alert>
);
