import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './item-list.module.css';
import { Pager } from './pager.tsx';

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
      <Pager
        page={Number(page)}
        pages={pages}
        totalLabel={totalLabel}
        onChange={(next) => onPage(next === 1 ? undefined : String(next))}
      />
    </>
  );
};
