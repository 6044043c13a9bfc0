import type { LoginStatus } from '#server/storage/tables/agent-status.ts';
import type { Notifications } from '#server/storage/tables/agents.ts';
import { requireAdministrator } from '../../../access.ts';
import { writeAgent } from '../../../accounts/agents/create-agent.ts';
import { sendActivation } from '../../../accounts/agents/email-tokens.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import { hashPassword } from '../../../passwords.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import type { AgentRecord } from '../records.ts';
import { getAgent } from './list-agents.ts';
import { checkMaxChats } from './set-limits.ts';

export interface AddedAgent {
  login: string;
  name: string;
  /** Absent: the agent is mailed a link to choose one. */
  password?: string | undefined;
  permission?: 'administrator' | 'normal' | undefined;
  jobTitle?: string | undefined;
  loginStatus?: LoginStatus | undefined;
  groupIds?: number[] | undefined;
  notifications?: Notifications | undefined;
  dailySummary?: boolean | undefined;
  maxChatsCount?: number | undefined;
}

/** One more agent. It is offline until it comes. */
export const addAgent = async (
  scope: OrganizationScope,
  { password, permission = 'normal', groupIds = [], ...input }: AddedAgent,
): Promise<AgentRecord> => {
  requireAdministrator(scope.actor);
  if (input.maxChatsCount !== undefined) checkMaxChats(input.maxChatsCount);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return scope.transaction(async (tx) => {
    await lockOrganization(tx);
    if (groupIds.length > 0) await assertGroupsExist(tx, groupIds);
    const { login } = await writeAgent(tx, { ...input, permission, groupIds, passwordHash });
    if (passwordHash === null) await sendActivation(tx, login);
    return getAgent(tx, { login });
  });
};
