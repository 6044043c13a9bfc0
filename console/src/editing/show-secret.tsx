import { Alert, Code, Group, Text } from '@mantine/core';
import { CopyTextButton } from '../design/copy-text-button.tsx';

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
      <CopyTextButton value={value} />
    </Group>
  </Alert>
);
