import { Badge } from '@mantine/core';
import { STATUS_NAMES, type Status } from './filters.ts';

const INK: Record<Status, string> = {
  open: 'var(--accent)',
  pending: 'var(--warn)',
  solved: 'var(--quiet)',
  spam: 'var(--bad)',
};

export const StatusBadge = ({ status }: { status: Status }) => (
  <Badge variant="outline" size="sm" tt="none" fw={600} c={INK[status]} style={{ borderColor: INK[status] }}>
    {STATUS_NAMES[status]}
  </Badge>
);
