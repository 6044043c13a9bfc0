import { Group, Pagination, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../i18n/t.ts';
import classes from './item-list.module.css';

interface ItemListProps<T> {
  label: string;
  items: T[];
  /** The route that shows one item. */
  to: '/archives/$' | '/tickets/$';
  currentId: string | undefined;
  render(item: T): ReactNode;
  /** The page as in the URL: absent for the first one. */
  page: string | undefined;
  pages: number;
  /** The total in words, such as `12 chats`. */
  totalLabel: string;
  onPage(page: string | undefined): void;
}

const CONTROL_LABELS = {
  first: t('firstPage'),
  previous: t('previousPage'),
  next: t('nextPage'),
  last: t('lastPage'),
};

/** One page of items that open next to the list. The filters stay in the URL. */
export const ItemList = <T extends { id: string }>(props: ItemListProps<T>) => {
  const { label, items, to, currentId, render, page = '1', pages, totalLabel, onPage } = props;
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to={to}
              params={{ _splat: item.id }}
              search={true as never}
              preload={false}
              className={classes.item}
              aria-current={item.id === currentId ? 'true' : undefined}
            >
              {render(item)}
            </Link>
          </li>
        ))}
      </ul>
      <Group justify="space-between" gap="xs" pt="xs">
        <Text size="sm" c="dimmed" role="status">
          {totalLabel}
        </Text>
        {pages > 1 && (
          <Pagination
            size="sm"
            value={Number(page)}
            total={pages}
            siblings={0}
            onChange={(next) => onPage(next === 1 ? undefined : String(next))}
            getControlProps={(control) => ({ 'aria-label': CONTROL_LABELS[control] })}
            getItemProps={(item) => ({ 'aria-label': t('pageNumber', { number: item }) })}
          />
        )}
      </Group>
    </>
  );
};
