import type { ReactNode } from 'react';
import classes from './split.module.css';

interface SplitProps {
  list: ReactNode;
  /** What was opened from the list; on a phone it takes the list's place. */
  detail?: ReactNode;
  /** The list is a table, which takes what the detail leaves; otherwise the detail is the wider one. */
  wideList?: boolean;
}

/** A list, and beside it what was opened. In a `<Page fill>`. */
export const Split = ({ list, detail, wideList = false }: SplitProps) => (
  <div className={classes.split} data-open={detail ? true : undefined} data-wide-list={wideList || undefined}>
    <div className={classes.list}>{list}</div>
    {detail && <div className={classes.detail}>{detail}</div>}
  </div>
);
