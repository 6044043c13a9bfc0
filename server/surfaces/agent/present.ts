import type { LoginAnswer } from '#contracts/agent/login.ts';
import { chatPresenter, toTimestamp } from '#server/dialects/chat-present.ts';
import type { AgentRecord } from '#server/domain/agents/records.ts';
import type { OrganizationRecord } from '#server/domain/licences/organizations.ts';

/** Agents know each other by their logins. */
export const present = chatPresenter((login) => login);

const routingStatus = {
  'accepting chats': 'accepting_chats',
  'not accepting chats': 'not_accepting_chats',
  offline: 'offline',
} as const satisfies Record<AgentRecord['status'], string>;

export const presentProfile = (agent: AgentRecord): LoginAnswer['my_profile'] => ({
  id: agent.login,
  type: 'agent',
  name: agent.name,
  email: agent.login,
  avatar: agent.avatar,
  job_title: agent.jobTitle,
  permission: agent.permission,
  routing_status: routingStatus[agent.status],
});

export const presentLicence = (organization: OrganizationRecord): LoginAnswer['license'] => ({
  id: organization.licenceNumber,
  organization_id: organization.id,
  plan: organization.plan,
  ...(organization.status === 'trial' && organization.trialEndsAt
    ? { expiration_timestamp: toTimestamp(organization.trialEndsAt) }
    : {}),
  creation_timestamp: toTimestamp(organization.createdAt),
  in_trial: organization.status === 'trial',
});
