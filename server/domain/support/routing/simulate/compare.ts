import { readHistory } from './history.ts';
import type { Loaded } from './load.ts';
import { type Measures, measure } from './measure.ts';
import type { Interval } from './model.ts';
import { simulate } from './simulate.ts';
import { applyChanges, type Changes } from './variant.ts';

export interface Comparison {
  /** As it happened. */
  really: Measures;
  /** Replayed with nothing changed: how far it is from what happened is how far the model is from the world. */
  replayed: Measures;
  changed?: Measures;
  unrouted: number;
}

export const compare = (
  { agents, groups, threads }: Loaded,
  { window, timezone, changes }: { window: Interval; timezone: string; changes?: Changes | undefined },
): Comparison => {
  const { chats, unrouted, ...course } = readHistory(threads, window);
  const model = { window, agents, groups, chats };
  const changed = changes && applyChanges(model, changes, timezone);
  return {
    really: measure(course, model),
    replayed: measure(simulate(model), model),
    ...(changed ? { changed: measure(simulate(changed), changed) } : {}),
    unrouted,
  };
};
