import { Group, Pagination, Text } from '@mantine/core';

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  /** What is counted, such as `chats`. */
  noun: string;
  onChange(page: number): void;
}

export const Pager = ({ page, pages, total, noun, onChange }: PagerProps) => (
  <Group justify="space-between" gap="xs" pt="xs">
    <Text size="sm" c="dimmed" role="status">
      {total.toLocaleString()} {total === 1 ? noun.replace(/s$/, '') : noun}
    </Text>
    {pages > 1 && (
      <Pagination
        size="sm"
        value={page}
        total={pages}
        siblings={0}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    )}
  </Group>
);
