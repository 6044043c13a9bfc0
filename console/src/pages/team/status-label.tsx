import { Group, Text } from '@mantine/core';
import { STATUS_COLORS, STATUS_LABELS } from './labels.ts';

export const StatusLabel = ({ status }: { status: keyof typeof STATUS_LABELS }) => (
  <Group gap={6} wrap="nowrap">
    <span
      aria-hidden
      style={{ width: 9, height: 9, borderRadius: '50%', background: STATUS_COLORS[status], flex: 'none' }}
    />
    <Text size="sm">{STATUS_LABELS[status]}</Text>
  </Group>
);
