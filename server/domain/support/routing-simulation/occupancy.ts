import type { Interval, SimulatedAgent, WorkInterval } from './model.ts';

/** Chat slots multiplied by milliseconds. */
export interface Capacity {
  used: number;
  available: number;
}

/** An agent's slots are available while the agent accepts chats or still has open ones. */
export const capacityOf = (
  { limit, accepting }: SimulatedAgent,
  workIntervals: WorkInterval[],
  { from, to }: Interval,
): Capacity => {
  const steps: { at: number; open: number; accepting: number }[] = [];
  const add = (span: Interval, open: number, accepts: number): void => {
    const [start, end] = [Math.max(span.from, from), Math.min(span.to, to)];
    if (start >= end) return;
    steps.push({ at: start, open, accepting: accepts }, { at: end, open: -open, accepting: -accepts });
  };
  for (const work of workIntervals) add(work, 1, 0);
  for (const shift of accepting) add(shift, 0, 1);
  steps.sort((one, other) => one.at - other.at);
  const capacity = { used: 0, available: 0 };
  const now = { at: from, open: 0, accepting: 0 };
  for (const step of steps) {
    const passed = step.at - now.at;
    capacity.used += passed * Math.min(now.open, limit);
    if (now.open > 0 || now.accepting > 0) capacity.available += passed * limit;
    now.at = step.at;
    now.open += step.open;
    now.accepting += step.accepting;
  }
  return capacity;
};
