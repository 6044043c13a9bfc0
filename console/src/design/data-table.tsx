// biome-ignore-all lint/a11y/useSemanticElements: the rows of a real table cannot be placed, and only those in sight shall exist.
// biome-ignore-all lint/a11y/useFocusableInteractive: headings and cells are read; the row takes the focus.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react';
import classes from './data-table.module.css';

export interface Column<T> {
  key: string;
  title: string;
  /** A track of the CSS grid, such as `2fr` or `8rem`; default `1fr`. */
  width?: string;
  align?: 'right';
  render(row: T): ReactNode;
}

interface DataTableProps<T> {
  /** Accessible name of the table. */
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey(row: T): string;
  /** Called when a row is clicked or activated with Enter. */
  onOpen?: ((row: T) => void) | undefined;
}

const ROW_HEIGHT = 52;

interface RowProps<T> {
  row: T;
  index: number;
  columns: Column<T>[];
  top: number;
  onOpen?: ((row: T) => void) | undefined;
}

const openByKey = (event: KeyboardEvent<HTMLElement>, open: () => void): void => {
  const { key, currentTarget, target } = event;
  if (target !== currentTarget) return;
  if (key === 'Enter' || key === ' ') {
    event.preventDefault();
    open();
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    const sibling = key === 'ArrowDown' ? currentTarget.nextElementSibling : currentTarget.previousElementSibling;
    if (sibling instanceof HTMLElement) {
      event.preventDefault();
      sibling.focus();
    }
  }
};

const Row = <T,>({ row, index, columns, top, onOpen }: RowProps<T>) => (
  <div
    role="row"
    className={classes.row}
    aria-rowindex={index + 2}
    tabIndex={onOpen ? 0 : -1}
    data-opens={onOpen ? true : undefined}
    style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
    onClick={onOpen && (() => onOpen(row))}
    onKeyDown={onOpen && ((event) => openByKey(event, () => onOpen(row)))}
  >
    {columns.map(({ key, align, render }) => (
      <div role="cell" key={key} className={classes.cell} data-align={align}>
        {render(row)}
      </div>
    ))}
  </div>
);

const MemoRow = memo(Row) as typeof Row;

const OVERSCAN = 8;

/** A virtualized table: only visible rows are rendered. Keep `columns` and `onOpen` stable to avoid rerendering them. */
export const DataTable = <T,>({ label, columns, rows, rowKey, onOpen }: DataTableProps<T>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => rowKey(rows[index]!),
  });
  return (
    <div ref={scroller} className={classes.scroller} data-testid="table-scroller">
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className={classes.table}
        style={{ '--columns': columns.map(({ width }) => width ?? '1fr').join(' ') } as React.CSSProperties}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" className={classes.headRow} aria-rowindex={1}>
            {columns.map(({ key, title, align }) => (
              <div role="columnheader" key={key} className={classes.cell} data-align={align}>
                {title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <MemoRow key={key} row={rows[index]!} index={index} columns={columns} top={start} onOpen={onOpen} />
          ))}
        </div>
      </div>
    </div>
  );
};
