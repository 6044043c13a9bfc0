import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { readShift } from '../../agents/presence/schedule.ts';
import type { Interval } from './model.ts';

export interface StatusChange {
  agentId: string;
  status: AgentStatus;
  reason: string;
  changedAt: Date;
}

export interface Availability {
  accepting: Interval[];
  goneAt: number[];
}

/** Who stopped taking chats took them before; who signed in did not. */
const acceptedBefore = ({ status, reason }: StatusChange): boolean =>
  status !== 'accepting chats' && reason !== 'signed_in';

/** When an agent took chats, by its status changes in their order. One without any has always been what it is now. */
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
  const goneAt = changes.filter(({ status }) => status === 'offline').map(({ changedAt }) => changedAt.getTime());
  return { accepting, goneAt };
};

/** When somebody with this schedule works. Whoever's shift ends finishes what is open. */
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

/** When at least one of them is there. */
export const unite = (times: Interval[]): Interval[] => {
  const united: Interval[] = [];
  for (const { from, to } of [...times].sort((one, other) => one.from - other.from)) {
    const last = united.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else united.push({ from, to });
  }
  return united;
};
