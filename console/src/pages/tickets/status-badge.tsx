import { Badge } from '@mantine/core';
import { STATUS_NAMES, type Status } from './filters.ts';

const INK: Record<Status, string> = {
  open: 'var(--accent)',
  pending: 'var(--warning)',
  solved: 'var(--text-muted)',
  spam: 'var(--danger)',
};

export const StatusBadge = ({ status }: { status: Status }) => (
  <Badge variant="outline" size="sm" fw={600} c={INK[status]} style={{ borderColor: INK[status] }}>
    {STATUS_NAMES[status]}
  </Badge>
);
