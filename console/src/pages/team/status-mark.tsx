import { Group, Text } from '@mantine/core';
import { STATUS_COLOURS, STATUS_WORDS } from './words.ts';

export const StatusMark = ({ status }: { status: keyof typeof STATUS_WORDS }) => (
  <Group gap={6} wrap="nowrap">
    <span
      aria-hidden
      style={{ width: 9, height: 9, borderRadius: '50%', background: STATUS_COLOURS[status], flex: 'none' }}
    />
    <Text size="sm">{STATUS_WORDS[status]}</Text>
  </Group>
);
