import type { Selectable } from 'kysely';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { requireAdministrator } from '../../../access.ts';
import { isLicenseEnded } from '../../../accounts/licenses/license-status.ts';
import { DomainError, type FieldError, invalid } from '../../../errors.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { isTimeZone } from '../../../time-zones.ts';
import { holdAgent } from '../profile/hold-agent.ts';
import { changeStatus } from './change-status.ts';
import { isConnected } from './connections.ts';
import { readShift, WEEKDAYS } from './schedule.ts';

type Tx = Transaction<OrganizationScope>;

const START = /^([01]\d|2[0-3]):[0-5]\d$/;
const END = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

const faultsOf = (schedule: WorkSchedule): FieldError[] =>
  Object.entries(schedule).flatMap(([day, shift]) => {
    const field = `work_scheduler.${day}`;
    if (!WEEKDAYS.some((known) => known === day)) return [{ field, message: `must be one of: ${WEEKDAYS.join(', ')}` }];
    return [
      ...(START.test(shift!.start) ? [] : [{ field: `${field}.start`, message: 'must be written as HH:mm' }]),
      ...(END.test(shift!.end) ? [] : [{ field: `${field}.end`, message: 'must be written as HH:mm' }]),
    ];
  });

const zoneOf = async (tx: Tx, { timezone }: Pick<Selectable<AgentsTable>, 'timezone'>): Promise<string> =>
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
  /** `null`: none; the agent alone says when it works. */
  schedule: WorkSchedule | null;
  timezone?: string | undefined;
}

/** When an agent works. The status follows with the next shift that begins or ends. */
export const setWorkSchedule = async (
  scope: OrganizationScope,
  { login, schedule, timezone }: NewSchedule,
): Promise<void> => {
  requireAdministrator(scope.actor);
  const fields = faultsOf(schedule ?? {});
  if (fields[0]) throw new DomainError('validation', invalid(fields[0].field, fields[0].message).message, { fields });
  if (timezone !== undefined && !isTimeZone(timezone)) throw invalid('timezone', 'is no IANA time zone');
  const agentId = login.toLowerCase();
  await scope.transaction(async (tx) => {
    const agent = await holdAgent(tx, agentId);
    const zone = timezone ?? agent.timezone;
    const shift = schedule && readShift(schedule, await zoneOf(tx, { timezone: zone }), tx.now());
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

/** A shift of the agent may have begun or ended: then its status is what the schedule says, whatever was set before. */
export const followSchedule = (scope: OrganizationScope, { agentId }: { agentId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    const { status, workSchedule, shiftEndsAt, ...agent } = await holdAgent(tx, agentId);
    if (!workSchedule || !shiftEndsAt || shiftEndsAt > tx.now()) return;
    const { onShift, endsAt } = readShift(workSchedule, await zoneOf(tx, agent), tx.now());
    await tx.update('agents').where('id', '=', agentId).set({ onShift, shiftEndsAt: endsAt }).execute();
    if (!onShift) {
      if (status === 'accepting chats')
        await changeStatus(tx, { agentId, status: 'not accepting chats', reason: 'schedule' });
    } else if ((status !== 'offline' || (await isConnected(tx, agentId))) && !(await isLicenseEnded(tx)))
      await changeStatus(tx, { agentId, status: 'accepting chats', reason: 'schedule' });
  });
