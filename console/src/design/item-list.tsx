import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './item-list.module.css';

interface ItemListProps<T> {
  label: string;
  items: T[];
  idOf(item: T): string;
  /** The route that shows one item. */
  to: '/archives/$' | '/tickets/$';
  currentId: string | undefined;
  render(item: T): ReactNode;
}

/** One page of items that open next to the list. The filters stay in the URL. */
export const ItemList = <T,>({ label, items, idOf, to, currentId, render }: ItemListProps<T>) => (
  <ul className={classes.list} aria-label={label}>
    {items.map((item) => {
      const id = idOf(item);
      return (
        <li key={id}>
          <Link
            to={to}
            params={{ _splat: id }}
            search={true as never}
            preload={false}
            className={classes.item}
            aria-current={id === currentId ? 'true' : undefined}
          >
            {render(item)}
          </Link>
        </li>
      );
    })}
  </ul>
);
