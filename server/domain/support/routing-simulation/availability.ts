import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { readShift } from '../agents/presence/read-shift.ts';
import type { Interval } from './model.ts';

export interface StatusChange {
  agentId: string;
  status: AgentStatus;
  reason: string;
  changedAt: Date;
}

export interface Availability {
  accepting: Interval[];
  offlineAt: number[];
}

/** An agent who stopped accepting chats accepted them before; one who signed in did not. */
const acceptedBefore = ({ status, reason }: StatusChange): boolean =>
  status !== 'accepting chats' && reason !== 'signed_in';

/**
 * Derives the intervals in which an agent accepted chats from the status changes, in order. Without any change the
 * current status has always applied.
 */
export const readAvailability = (
  changes: StatusChange[],
  statusNow: AgentStatus,
  { from, to }: Interval,
): Availability => {
  const first = changes[0];
  const acceptedFirst = first ? acceptedBefore(first) : statusNow === 'accepting chats';
  const accepting: Interval[] = [];
  let since = acceptedFirst ? from : undefined;
  for (const { status, changedAt } of changes) {
    const at = changedAt.getTime();
    if (status === 'accepting chats') since ??= at;
    else if (since !== undefined) {
      accepting.push({ from: since, to: at });
      since = undefined;
    }
  }
  if (since !== undefined) accepting.push({ from: since, to });
  const offlineAt = changes.filter(({ status }) => status === 'offline').map(({ changedAt }) => changedAt.getTime());
  return { accepting, offlineAt };
};

/**
 * The intervals in which an agent with this schedule works. Chats that are open at the end of a shift are finished.
 */
export const readShifts = (schedule: WorkSchedule, timezone: string, { from, to }: Interval): Interval[] => {
  const shifts: Interval[] = [];
  for (let at = from; at < to; ) {
    const { onShift, endsAt } = readShift(schedule, timezone, new Date(at));
    const until = Math.min(endsAt?.getTime() ?? to, to);
    if (onShift) shifts.push({ from: at, to: until });
    at = until;
  }
  return shifts;
};

/** Merges overlapping and touching intervals. */
export const mergeIntervals = (times: Interval[]): Interval[] => {
  const merged: Interval[] = [];
  for (const { from, to } of [...times].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
};
