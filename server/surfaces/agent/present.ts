import type { LoginResponse } from '#contracts/agent/login.ts';
import type { OrganizationRecord } from '#server/domain/accounts/licenses/organizations.ts';
import type { AgentRecord } from '#server/domain/support/agents/records.ts';
import { chatPresenter } from '#server/surfaces/chat-v3/present-chat.ts';
import { presentStatus } from '#server/surfaces/chat-v3/routing-status.ts';

/** Agents see the logins of other agents. */
export const present = chatPresenter((login) => login);

const toUnixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const presentProfile = (agent: AgentRecord): LoginResponse['my_profile'] => ({
  id: agent.login,
  type: 'agent',
  name: agent.name,
  email: agent.login,
  avatar: agent.avatar,
  job_title: agent.jobTitle,
  permission: agent.permission,
  present: true,
  routing_status: presentStatus[agent.status],
});

export const presentLicense = (organization: OrganizationRecord): LoginResponse['license'] => ({
  id: organization.licenseNumber,
  organization_id: organization.id,
  plan: organization.plan,
  ...(organization.status === 'trial' && organization.trialEndsAt
    ? { expiration_timestamp: toUnixSeconds(organization.trialEndsAt) }
    : {}),
  creation_timestamp: toUnixSeconds(organization.createdAt),
  in_trial: organization.status === 'trial',
});
