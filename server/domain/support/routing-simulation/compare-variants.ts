import { applyChanges, type Changes } from './apply-changes.ts';
import type { RoutingHistory } from './load-history.ts';
import { type Measures, measure } from './measure.ts';
import type { Interval } from './model.ts';
import { readHistory } from './read-history.ts';
import { simulate } from './simulate.ts';

export interface Comparison {
  /** Metrics of what happened. */
  actual: Measures;
  /** Metrics of a replay without changes. The difference from `actual` shows the error of the model. */
  replayed: Measures;
  changed?: Measures;
  unrouted: number;
}

export const compareVariants = (
  { agents, groups, threads }: RoutingHistory,
  { window, timezone, changes }: { window: Interval; timezone: string; changes?: Changes | undefined },
): Comparison => {
  const { chats, unrouted, ...result } = readHistory(threads, window);
  const model = { window, agents, groups, chats };
  const changed = changes && applyChanges(model, changes, timezone);
  return {
    actual: measure(result, model),
    replayed: measure(simulate(model), model),
    ...(changed ? { changed: measure(simulate(changed), changed) } : {}),
    unrouted,
  };
};
