import { Group, Pagination, Text } from '@mantine/core';
import { t } from '../i18n/t.ts';

interface PagerProps {
  page: number;
  pages: number;
  /** The total in words, such as `12 chats`. */
  totalLabel: string;
  onChange(page: number): void;
}

const CONTROL_LABELS = {
  first: t('firstPage'),
  previous: t('previousPage'),
  next: t('nextPage'),
  last: t('lastPage'),
};

export const Pager = ({ page, pages, totalLabel, onChange }: PagerProps) => (
  <Group justify="space-between" gap="xs" pt="xs">
    <Text size="sm" c="dimmed" role="status">
      {totalLabel}
    </Text>
    {pages > 1 && (
      <Pagination
        size="sm"
        value={page}
        total={pages}
        siblings={0}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': CONTROL_LABELS[control] })}
        getItemProps={(item) => ({ 'aria-label': t('pageNumber', { number: item }) })}
      />
    )}
  </Group>
);
