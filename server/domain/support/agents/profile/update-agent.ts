import type { Selectable } from 'kysely';
import type { AgentStatus, LoginStatus } from '#server/storage/tables/agent-status.ts';
import type { AgentsTable, Notifications, Permission } from '#server/storage/tables/agents.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { requireAgent } from '../../../access.ts';
import { revokeEmailTokens } from '../../../accounts/agents/email-tokens.ts';
import { planOf } from '../../../accounts/licenses/plan.ts';
import { requireInPerson } from '../../../accounts/oauth/scopes.ts';
import { definedFields } from '../../../defined-fields.ts';
import { DomainError, invalid } from '../../../errors.ts';
import { hashPassword, verifyPassword } from '../../../passwords.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { mayDecideAbout, setAgentStatus } from '../presence/set-status.ts';
import { setWorkSchedule } from '../presence/shifts.ts';
import type { AgentRecord } from '../records.ts';
import { holdAgent } from './hold-agent.ts';
import { getAgent } from './list-agents.ts';
import { setAgentGroups, setMaxChats } from './set-limits.ts';

type Tx = Transaction<OrganizationScope>;

/** What is absent stays. */
export interface AgentChange {
  name?: string | undefined;
  jobTitle?: string | undefined;
  loginStatus?: LoginStatus | undefined;
  dailySummary?: boolean | undefined;
  notifications?: Notifications | undefined;
  status?: AgentStatus | undefined;
  password?: string | undefined;
  /** Of whoever asks. */
  currentPassword?: string | undefined;
  permission?: Permission | undefined;
  groupIds?: number[] | undefined;
  maxChatsCount?: number | undefined;
  /** Days that are absent stay. */
  workSchedule?: WorkSchedule | undefined;
}

const FOR_ADMINISTRATORS = ['permission', 'groupIds', 'maxChatsCount', 'workSchedule'] as const;

/** Agents change their own profile, administrators anybody's. */
const assertMayChange = (scope: OrganizationScope, login: string, change: AgentChange): boolean => {
  const { permission } = requireAgent(scope.actor);
  const own = mayDecideAbout(scope, login);
  if (permission === 'normal' && FOR_ADMINISTRATORS.some((field) => change[field] !== undefined))
    throw new DomainError('forbidden', 'Only administrators may change permissions, groups, limits and schedules');
  return own;
};

/** Nobody gets at the owner by being an administrator. */
const protectOwner = (agent: Selectable<AgentsTable>, { permission, password }: AgentChange, own: boolean): void => {
  const isOwner = agent.permission === 'owner';
  if (permission !== undefined && isOwner !== (permission === 'owner'))
    throw new DomainError('forbidden', isOwner ? 'The owner stays the owner' : 'There is one owner');
  if (password !== undefined && isOwner && !own)
    throw new DomainError('forbidden', 'Only the owner may change its own password');
};

/** Whoever changes a password says its own, so that an API key alone takes nobody's account away. */
const readPassword = async (
  scope: OrganizationScope,
  { password, currentPassword }: AgentChange,
): Promise<{ passwordHash?: string }> => {
  if (password === undefined) return {};
  requireInPerson(scope.actor);
  if (currentPassword === undefined) throw invalid('current_password', 'is required to change a password');
  const asking = await scope
    .from('agents')
    .where('id', '=', requireAgent(scope.actor).id)
    .select('passwordHash')
    .executeTakeFirst();
  if (!(await verifyPassword(currentPassword, asking?.passwordHash ?? null)))
    throw invalid('current_password', 'is not your password');
  return { passwordHash: await hashPassword(password) };
};

const writeProfile = async (tx: Tx, login: string, change: AgentChange, secret: { passwordHash?: string }) => {
  const { name, jobTitle, loginStatus, dailySummary, notifications, permission } = change;
  const written = notifications && JSON.stringify(notifications);
  const fields = { name, jobTitle, loginStatus, dailySummary, permission, notifications: written, ...secret };
  const set = definedFields(fields);
  if (Object.keys(set).length > 0) await tx.update('agents').where('id', '=', login).set(set).execute();
  // Whoever signed in with the password before has to do so again.
  if (secret.passwordHash !== undefined) {
    await tx.remove('agentSessions').where('agentId', '=', login).execute();
    await revokeEmailTokens(tx, login);
  }
  if (permission !== undefined || secret.passwordHash !== undefined)
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
};

/** A week without any working day is no schedule: the agent alone says when it works. */
const writeSchedule = async (tx: Tx, login: string, before: WorkSchedule | null, days: WorkSchedule): Promise<void> => {
  if ((await planOf(tx)) !== 'enterprise')
    throw new DomainError('forbidden', 'Work schedules are part of the enterprise plan');
  const schedule = { ...before, ...days };
  const works = Object.values(schedule).some((day) => day?.enabled);
  await setWorkSchedule(tx, { login, schedule: works ? schedule : null });
};

export const updateAgent = async (
  scope: OrganizationScope,
  { login: asked, ...change }: AgentChange & { login: string },
): Promise<AgentRecord> => {
  const login = asked.toLowerCase();
  const own = assertMayChange(scope, login, change);
  const secret = await readPassword(scope, change);
  return scope.transaction(async (tx) => {
    const agent = await holdAgent(tx, login, 'person');
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
