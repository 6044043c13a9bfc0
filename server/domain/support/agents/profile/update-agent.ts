import type { Selectable } from 'kysely';
import type { AgentStatus, LoginStatus } from '#server/storage/tables/agent-status.ts';
import type { AgentsTable, Notifications, Permission } from '#server/storage/tables/agents.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { requireAgent } from '../../../access.ts';
import { revokeEmailTokens } from '../../../accounts/agents/email-tokens.ts';
import { planOf } from '../../../accounts/licenses/plan.ts';
import { rejectOauthTokens } from '../../../accounts/oauth/scopes.ts';
import { definedFields } from '../../../defined-fields.ts';
import { DomainError, invalid } from '../../../errors.ts';
import { hashNewPassword, verifyPassword } from '../../../passwords.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { requireSelfOrAdministrator, setAgentStatus } from '../presence/set-status.ts';
import { setWorkSchedule } from '../presence/work-schedule.ts';
import type { AgentRecord } from '../records.ts';
import { setAgentGroups, setMaxChats } from './agent-routing-settings.ts';
import { getAgent } from './list-agents.ts';
import { lockAgent } from './lock-agent.ts';

type Tx = Transaction<OrganizationScope>;

/** Absent fields stay unchanged. */
export interface AgentChange {
  name?: string | undefined;
  jobTitle?: string | undefined;
  loginStatus?: LoginStatus | undefined;
  dailySummary?: boolean | undefined;
  notifications?: Notifications | undefined;
  status?: AgentStatus | undefined;
  password?: string | undefined;
  /** The password of the caller. */
  currentPassword?: string | undefined;
  permission?: Permission | undefined;
  groupIds?: number[] | undefined;
  maxChatsCount?: number | undefined;
  /** Absent days stay unchanged. */
  workSchedule?: WorkSchedule | undefined;
}

const ADMINISTRATOR_FIELDS = ['permission', 'groupIds', 'maxChatsCount', 'workSchedule'] as const;

/** Agents may change their own profile, administrators every profile. Returns whether it is the caller's own. */
const assertCanChange = (scope: OrganizationScope, login: string, change: AgentChange): boolean => {
  const { permission } = requireAgent(scope.actor);
  const own = requireSelfOrAdministrator(scope, login);
  if (permission === 'normal' && ADMINISTRATOR_FIELDS.some((field) => change[field] !== undefined))
    throw new DomainError('forbidden', 'Only administrators can change permissions, groups, limits and schedules');
  return own;
};

/** Administrators must not gain control of the owner's account. */
const protectOwner = (agent: Selectable<AgentsTable>, { permission, password }: AgentChange, own: boolean): void => {
  const isOwner = agent.permission === 'owner';
  if (permission !== undefined && isOwner !== (permission === 'owner'))
    throw new DomainError(
      'forbidden',
      isOwner ? 'The permission of the owner cannot be changed' : 'An account can have only one owner',
    );
  if (password !== undefined && isOwner && !own)
    throw new DomainError('forbidden', 'Only the owner can change the password of the owner');
};

/**
 * Changing a password requires the caller's own password, so that a leaked API key does not allow taking over accounts.
 */
const readPassword = async (
  scope: OrganizationScope,
  { login, password, currentPassword }: AgentChange & { login: string },
): Promise<{ passwordHash?: string }> => {
  if (password === undefined) return {};
  rejectOauthTokens(scope.actor);
  if (currentPassword === undefined) throw invalid('currentPassword', 'is required to change a password');
  const caller = await scope
    .from('agents')
    .where('id', '=', requireAgent(scope.actor).id)
    .select('passwordHash')
    .executeTakeFirst();
  if (!(await verifyPassword(currentPassword, caller?.passwordHash ?? null)))
    throw invalid('currentPassword', 'is incorrect');
  return { passwordHash: await hashNewPassword(password, [login]) };
};

const writeProfile = async (tx: Tx, login: string, change: AgentChange, secret: { passwordHash?: string }) => {
  const { name, jobTitle, loginStatus, dailySummary, notifications, permission } = change;
  const written = notifications && JSON.stringify(notifications);
  const fields = { name, jobTitle, loginStatus, dailySummary, permission, notifications: written, ...secret };
  const set = definedFields(fields);
  if (Object.keys(set).length > 0) await tx.update('agents').where('id', '=', login).set(set).execute();
  // Existing sessions must sign in again with the new password.
  if (secret.passwordHash !== undefined) {
    await tx.remove('agentSessions').where('agentId', '=', login).execute();
    await revokeEmailTokens(tx, login);
  }
  if (permission !== undefined || secret.passwordHash !== undefined)
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
};

/** A schedule without working days means no schedule: the agent's status is set manually only. */
const writeSchedule = async (tx: Tx, login: string, before: WorkSchedule | null, days: WorkSchedule): Promise<void> => {
  if ((await planOf(tx)) !== 'enterprise')
    throw new DomainError('forbidden', 'Work schedules are part of the enterprise plan');
  const schedule = { ...before, ...days };
  const works = Object.values(schedule).some((day) => day?.enabled);
  await setWorkSchedule(tx, { login, schedule: works ? schedule : null });
};

export const updateAgent = async (
  scope: OrganizationScope,
  { login: requestedLogin, ...change }: AgentChange & { login: string },
): Promise<AgentRecord> => {
  const login = requestedLogin.toLowerCase();
  const own = assertCanChange(scope, login, change);
  const secret = await readPassword(scope, { ...change, login });
  return scope.transaction(async (tx) => {
    const agent = await lockAgent(tx, login, 'person');
    protectOwner(agent, change, own);
    await writeProfile(tx, login, change, secret);
    const { maxChatsCount, groupIds, workSchedule, status } = change;
    if (maxChatsCount !== undefined) await setMaxChats(tx, { login, maxChatsCount });
    if (groupIds !== undefined) await setAgentGroups(tx, { login, groupIds });
    if (workSchedule !== undefined) await writeSchedule(tx, login, agent.workSchedule, workSchedule);
    if (status !== undefined) await setAgentStatus(tx, { login, status });
    return getAgent(tx, { login });
  });
};
