import type { Static } from 'typebox';
import type { getSession } from '#contracts/agent/sessions.ts';
import type { CurrentAgent } from '#server/domain/support/agents/profile/get-current-agent.ts';
import { toTimestamp } from '../../http/timestamp.ts';
import { presentStatus } from './routing-status.ts';

type Presented = Static<(typeof getSession)['responses'][200]>;

export const presentSignedInAgent = ({
  agent,
  organization,
  twoFactor,
  isConfirmed,
}: Omit<CurrentAgent, 'session'>): Omit<Presented, 'session'> => ({
  login: agent.login,
  email_confirmed: isConfirmed,
  name: agent.name,
  job_title: agent.jobTitle,
  avatar: agent.avatar,
  permission: agent.permission,
  routing_status: presentStatus[agent.status],
  groups: agent.groups.map(({ id, name }) => ({ id, name })),
  organization_id: organization.id,
  organization: {
    ...{ id: organization.id, name: organization.name, license_id: organization.licenseNumber },
    ...{ plan: organization.plan, status: organization.status, timezone: organization.timezone },
    ...(organization.status === 'trial' && organization.trialEndsAt
      ? { trial_ends_at: toTimestamp(organization.trialEndsAt) }
      : {}),
  },
  two_factor: {
    enabled: twoFactor.enabled,
    ...(twoFactor.recoveryCodesLeft === undefined ? {} : { recovery_codes_left: twoFactor.recoveryCodesLeft }),
  },
});
