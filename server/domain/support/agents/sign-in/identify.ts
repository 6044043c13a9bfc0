import type { Executor } from '#server/storage/executor.ts';
import { type AgentCredential, findAgentApiKey, findAgentSession, findOauthToken } from '#server/storage/platform.ts';
import type { AgentActor } from '../../../access.ts';
import { DomainError } from '../../../errors.ts';
import { assertRegion } from '../../../region.ts';
import type { Services } from '../../../scope.ts';

export interface IdentifiedAgent {
  organizationId: string;
  licenseStatus: AgentCredential['licenseStatus'];
  actor: AgentActor;
}

const toIdentified = (
  { organizationId, licenseStatus, permission, groupIds, login }: AgentCredential,
  scopes?: readonly string[],
): IdentifiedAgent => ({
  organizationId,
  licenseStatus,
  actor: { kind: 'agent', id: login, permission, groupIds, ...(scopes ? { scopes } : {}) },
});

/** The public id of a session, from which its cookie cannot be derived. */
export const toSessionId = (id: Buffer): string => id.toString('base64url');

/** Finds the agent of an OAuth access token. Callers must check the scopes. */
const findByToken = async (
  executor: Executor,
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  token: string,
): Promise<IdentifiedAgent | undefined> => {
  const found = await findOauthToken(executor, secrets.hash(token));
  return found?.kind === 'access' && found.expiresAt > clock.now() ? toIdentified(found, found.scopes) : undefined;
};

/** Identifies an agent by API key, with or without login, or an app by OAuth token; `scopes` is set for apps. */
export const identifyAgentOrApp = async (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'installation' | 'clock'>,
  credential: { apiKey: string; login?: string | undefined },
): Promise<IdentifiedAgent> => {
  const app =
    credential.login === undefined && credential.apiKey !== ''
      ? await findByToken(executor, services, credential.apiKey)
      : undefined;
  return app ?? identifyAgent(executor, services, credential);
};

const SET_LAST_USED = 'update agent_sessions set last_used_at = $3 where organization_id = $1 and id = $2';

/** The time of last use is stored to the minute, to limit writes. */
const USED_INTERVAL_MS = 60_000;

/** Identifies the agent of a browser session. */
export const identifySession = async (
  executor: Executor,
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  secret: string,
): Promise<IdentifiedAgent> => {
  const id = secrets.hash(secret);
  const now = clock.now();
  const found = await findAgentSession(executor, id);
  if (!found || found.expiresAt <= now) throw new DomainError('authentication', 'The session has expired');
  if (now.getTime() - found.usedAt.getTime() >= USED_INTERVAL_MS)
    await executor.query({ name: 'use_agent_session', text: SET_LAST_USED, values: [found.organizationId, id, now] });
  const { actor, ...identified } = toIdentified(found);
  return { ...identified, actor: { ...actor, session: toSessionId(id) } };
};

/** Finds an API key by its hash. If a login is given, it must belong to the key. */
export const identifyAgent = async (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'installation'>,
  { apiKey, login }: { apiKey: string; login?: string | undefined },
): Promise<IdentifiedAgent> => {
  assertRegion(apiKey, services.installation.region);
  const found = await findAgentApiKey(executor, services.secrets.hash(apiKey));
  if (!found || (login !== undefined && login.toLowerCase() !== found.login)) {
    throw new DomainError('authentication', 'The login or the API key is wrong');
  }
  return toIdentified(found);
};
