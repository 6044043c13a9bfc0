import type { LicenseStatus, Plan } from '#server/storage/tables/organizations.ts';
import { requireAgent } from '../../../access.ts';
import { rejectOauthTokens } from '../../../accounts/oauth/scopes.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { AgentRecord } from '../records.ts';
import { toSessionId } from '../sign-in/identify.ts';
import { countRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { getAgent } from './list-agents.ts';

/** The signed-in agent, organization and session. */
export interface CurrentAgent {
  agent: AgentRecord;
  organization: {
    id: string;
    licenseNumber: number;
    name: string;
    plan: Plan;
    status: LicenseStatus;
    timezone: string;
    trialEndsAt: Date | null;
  };
  /** Whether two-factor authentication is on, and how many recovery codes are left. */
  twoFactor: { enabled: boolean; recoveryCodesLeft?: number };
  /** Whether the agent proved that the login is their address. */
  isConfirmed: boolean;
  /** Absent when an API key was used. */
  session?: { id: string; createdAt: Date; expiresAt: Date };
}

const findOwnSession = async (scope: OrganizationScope, name: string | undefined): Promise<CurrentAgent['session']> => {
  if (name === undefined) return undefined;
  const row = await scope
    .from('agentSessions')
    .where('id', '=', Buffer.from(name, 'base64url'))
    .select(['id', 'createdAt', 'expiresAt'])
    .executeTakeFirst();
  return row && { ...row, id: toSessionId(row.id) };
};

export const hasTwoFactor = async (scope: OrganizationScope, login: string): Promise<boolean> =>
  (await scope
    .from('agentTwoFactor')
    .where('agentId', '=', login)
    .where('confirmedAt', 'is not', null)
    .select('agentId')
    .executeTakeFirst()) !== undefined;

const describeTwoFactor = async (scope: OrganizationScope, login: string): Promise<CurrentAgent['twoFactor']> =>
  (await hasTwoFactor(scope, login))
    ? { enabled: true, recoveryCodesLeft: await countRecoveryCodes(scope, login) }
    : { enabled: false };

export const getCurrentAgent = async (scope: OrganizationScope): Promise<CurrentAgent> => {
  rejectOauthTokens(scope.actor);
  const { id: login, session: name } = requireAgent(scope.actor);
  const [agent, { addressConfirmedAt }, organization, twoFactor, session] = await Promise.all([
    getAgent(scope, { login }),
    scope.from('agents').where('id', '=', login).select('addressConfirmedAt').executeTakeFirstOrThrow(),
    scope.db
      .selectFrom('organizations')
      .where('id', '=', scope.organizationId)
      .select(['id', 'licenseNumber', 'name', 'plan', 'status', 'timezone', 'trialEndsAt'])
      .executeTakeFirstOrThrow(),
    describeTwoFactor(scope, login),
    findOwnSession(scope, name),
  ]);
  return { agent, organization, twoFactor, isConfirmed: addressConfirmedAt !== null, ...(session ? { session } : {}) };
};
