import type { LoginStatus } from '#server/storage/tables/agent-status.ts';
import type { Notifications } from '#server/storage/tables/agents.ts';
import { requireAdministrator } from '../../../access.ts';
import { assertMayMail } from '../../../accounts/addresses/assert-may-mail.ts';
import { writeAgent } from '../../../accounts/agents/create-agent.ts';
import { sendActivation } from '../../../accounts/agents/email-tokens.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import { hashNewPassword } from '../../../passwords.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import type { AgentRecord } from '../records.ts';
import { checkMaxChats } from './agent-routing-settings.ts';
import { getAgent } from './list-agents.ts';

export interface AddAgentInput {
  login: string;
  name: string;
  /** When absent, the agent gets an email with a link to choose one. */
  password?: string | undefined;
  permission?: 'administrator' | 'normal' | undefined;
  jobTitle?: string | undefined;
  loginStatus?: LoginStatus | undefined;
  groupIds?: number[] | undefined;
  notifications?: Notifications | undefined;
  dailySummary?: boolean | undefined;
  maxChatsCount?: number | undefined;
}

/** Adds an agent, who is offline until the first sign-in. */
export const addAgent = async (
  scope: OrganizationScope,
  { password, permission = 'normal', groupIds = [], ...input }: AddAgentInput,
): Promise<AgentRecord> => {
  requireAdministrator(scope.actor);
  if (input.maxChatsCount !== undefined) checkMaxChats(input.maxChatsCount);
  const passwordHash = password === undefined ? null : await hashNewPassword(password, [input.login, input.name]);
  return scope.transaction(async (tx) => {
    await lockOrganization(tx);
    if (groupIds.length > 0) await assertGroupsExist(tx, groupIds);
    const { login } = await writeAgent(tx, { ...input, permission, groupIds, passwordHash });
    if (passwordHash === null) {
      await assertMayMail(tx);
      await sendActivation(tx, login);
    }
    return getAgent(tx, { login });
  });
};
