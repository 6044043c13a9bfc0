import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../design/states.tsx';
import classes from './row-list.module.css';

/** A short list for any screen width; use `DataTable` for long ones. */
export const RowList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.list} aria-label={label}>
    {children}
  </ul>
);

interface QueryRowsProps<T> {
  label: string;
  query: UseQueryResult<T[]>;
  /** Shown when there are no items. */
  empty?: ReactNode;
  /** The row of an item, with a key. */
  children(item: T): ReactNode;
}

/** The items of a query in a `RowList`. */
export const QueryRows = <T,>({ label, query, empty, children }: QueryRowsProps<T>) => (
  <Loaded query={query} empty={empty}>
    {(items) => <RowList label={label}>{items.map((item) => children(item))}</RowList>}
  </Loaded>
);

interface RowProps {
  title: ReactNode;
  detail?: ReactNode;
  /** Before the text, for example an avatar. */
  lead?: ReactNode;
  /** After the text: badges, a switch, buttons. */
  aside?: ReactNode;
  /** Makes the row a link. */
  to?: '/settings/$' | '/team/$';
  path?: string;
}

export const Row = ({ title, detail, lead, aside, to, path = '' }: RowProps) => (
  <li className={classes.row} data-opens={to ? true : undefined}>
    {lead}
    <div className={classes.words}>
      {to ? (
        <Link to={to} params={{ _splat: path }} className={classes.title} data-link>
          {title}
        </Link>
      ) : (
        <span className={classes.title}>{title}</span>
      )}
      {detail && <div className={classes.detail}>{detail}</div>}
    </div>
    {aside && <div className={classes.aside}>{aside}</div>}
  </li>
);
