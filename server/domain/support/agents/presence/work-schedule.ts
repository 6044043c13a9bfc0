import type { Selectable } from 'kysely';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { requireAdministrator } from '../../../access.ts';
import { isLicenseEnded } from '../../../accounts/licenses/license-status.ts';
import { DomainError, type FieldError, invalid } from '../../../errors.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { isTimeZone } from '../../../time-zones.ts';
import { lockAgent } from '../profile/lock-agent.ts';
import { changeStatus } from './change-status.ts';
import { isConnected } from './connections.ts';
import { readShift, WEEKDAYS } from './read-shift.ts';

type Tx = Transaction<OrganizationScope>;

const START = /^([01]\d|2[0-3]):[0-5]\d$/;
const END = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

const fieldErrors = (schedule: WorkSchedule): FieldError[] =>
  Object.entries(schedule).flatMap(([day, shift]) => {
    const field = `work_scheduler.${day}`;
    if (!WEEKDAYS.some((weekday) => weekday === day))
      return [{ field, message: `must be one of: ${WEEKDAYS.join(', ')}` }];
    return [
      ...(START.test(shift!.start) ? [] : [{ field: `${field}.start`, message: 'must have the format HH:mm' }]),
      ...(END.test(shift!.end) ? [] : [{ field: `${field}.end`, message: 'must have the format HH:mm' }]),
    ];
  });

const timezoneOf = async (tx: Tx, { timezone }: Pick<Selectable<AgentsTable>, 'timezone'>): Promise<string> =>
  timezone ??
  (
    await tx.db
      .selectFrom('organizations')
      .where('id', '=', tx.organizationId)
      .select('timezone')
      .executeTakeFirstOrThrow()
  ).timezone;

export interface NewSchedule {
  login: string;
  /** `null`: no schedule; the agent's status is set manually only. */
  schedule: WorkSchedule | null;
  timezone?: string | undefined;
}

/** Sets when an agent works. The status changes with the next shift that begins or ends. */
export const setWorkSchedule = async (
  scope: OrganizationScope,
  { login, schedule, timezone }: NewSchedule,
): Promise<void> => {
  requireAdministrator(scope.actor);
  const fields = fieldErrors(schedule ?? {});
  if (fields[0]) throw new DomainError('validation', invalid(fields[0].field, fields[0].message).message, { fields });
  if (timezone !== undefined && !isTimeZone(timezone))
    throw invalid('timezone', 'must be an IANA time zone name, for example Europe/Warsaw');
  const agentId = login.toLowerCase();
  await scope.transaction(async (tx) => {
    const agent = await lockAgent(tx, agentId);
    const zone = timezone ?? agent.timezone;
    const shift = schedule && readShift(schedule, await timezoneOf(tx, { timezone: zone }), tx.now());
    await tx
      .update('agents')
      .where('id', '=', agentId)
      .set({
        timezone: zone,
        workSchedule: schedule && JSON.stringify(schedule),
        onShift: shift?.onShift ?? null,
        shiftEndsAt: shift?.endsAt ?? null,
      })
      .execute();
  });
};

/** Sets the status according to the schedule when a shift has begun or ended, regardless of the previous status. */
export const applySchedule = (scope: OrganizationScope, { agentId }: { agentId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    const { status, workSchedule, shiftEndsAt, ...agent } = await lockAgent(tx, agentId);
    if (!workSchedule || !shiftEndsAt || shiftEndsAt > tx.now()) return;
    const { onShift, endsAt } = readShift(workSchedule, await timezoneOf(tx, agent), tx.now());
    await tx.update('agents').where('id', '=', agentId).set({ onShift, shiftEndsAt: endsAt }).execute();
    if (!onShift) {
      if (status === 'accepting chats')
        await changeStatus(tx, { agentId, status: 'not accepting chats', reason: 'schedule' });
    } else if ((status !== 'offline' || (await isConnected(tx, agentId))) && !(await isLicenseEnded(tx)))
      await changeStatus(tx, { agentId, status: 'accepting chats', reason: 'schedule' });
  });
