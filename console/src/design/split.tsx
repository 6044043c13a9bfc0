import type { ReactNode } from 'react';
import classes from './split.module.css';

interface SplitProps {
  list: ReactNode;
  /** The opened item; on a phone it replaces the list. */
  detail?: ReactNode;
  /** The list takes the remaining width; otherwise the detail does. */
  wideList?: boolean;
}

/** A list with the opened item next to it. Use in a `<Page fill>`. */
export const Split = ({ list, detail, wideList = false }: SplitProps) => (
  <div className={classes.split} data-open={detail ? true : undefined} data-wide-list={wideList || undefined}>
    <div className={classes.list}>{list}</div>
    {detail && <div className={classes.detail}>{detail}</div>}
  </div>
);
