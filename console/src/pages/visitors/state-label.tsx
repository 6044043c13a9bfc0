import { STATE_NAMES, type VisitorState } from './visitor.ts';
import classes from './visitors.module.css';

export const StateLabel = ({ state }: { state: VisitorState }) => (
  <span className={classes.state} data-state={state}>
    {STATE_NAMES[state]}
  </span>
);
