import type { Interval, SimulatedAgent, Stint } from './model.ts';

/** Places times milliseconds. */
export interface Places {
  taken: number;
  there: number;
}

/** Places are there while the agent takes chats or still has some open; never more than its limit. */
export const occupancyOf = ({ limit, accepting }: SimulatedAgent, stints: Stint[], { from, to }: Interval): Places => {
  const turns: { at: number; open: number; accepting: number }[] = [];
  const add = (span: Interval, open: number, accepts: number): void => {
    const [start, end] = [Math.max(span.from, from), Math.min(span.to, to)];
    if (start >= end) return;
    turns.push({ at: start, open, accepting: accepts }, { at: end, open: -open, accepting: -accepts });
  };
  for (const stint of stints) add(stint, 1, 0);
  for (const shift of accepting) add(shift, 0, 1);
  turns.sort((one, other) => one.at - other.at);
  const places = { taken: 0, there: 0 };
  const now = { at: from, open: 0, accepting: 0 };
  for (const turn of turns) {
    const passed = turn.at - now.at;
    places.taken += passed * Math.min(now.open, limit);
    if (now.open > 0 || now.accepting > 0) places.there += passed * limit;
    now.at = turn.at;
    now.open += turn.open;
    now.accepting += turn.accepting;
  }
  return places;
};
