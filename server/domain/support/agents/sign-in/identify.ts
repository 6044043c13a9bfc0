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

/** What a session is called. Its cookie cannot be made from this. */
export const nameSession = (id: Buffer): string => id.toString('base64url');

/** A token that an agent let a program have. Whoever asks for this must look at the scopes. */
const findByToken = async (
  executor: Executor,
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  token: string,
): Promise<IdentifiedAgent | undefined> => {
  const found = await findOauthToken(executor, secrets.hash(token));
  return found?.kind === 'access' && found.expiresAt > clock.now() ? toIdentified(found, found.scopes) : undefined;
};

/** An agent by API key alone or with its login, or by a token that it let a program have: the answer tells its scopes. */
export const identifyAgentOrProgram = async (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'region' | 'clock'>,
  credential: { apiKey: string; login?: string | undefined },
): Promise<IdentifiedAgent> => {
  const program =
    credential.login === undefined && credential.apiKey !== ''
      ? await findByToken(executor, services, credential.apiKey)
      : undefined;
  return program ?? identifyAgent(executor, services, credential);
};

const USED = 'update agent_sessions set last_used_at = $3 where organization_id = $1 and id = $2';

/** To the minute: more often it is not worth a write. */
const USED_INTERVAL_MS = 60_000;

/** Who signed in with this browser. */
export const identifySession = async (
  executor: Executor,
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  secret: string,
): Promise<IdentifiedAgent> => {
  const id = secrets.hash(secret);
  const now = clock.now();
  const found = await findAgentSession(executor, id);
  if (!found || found.expiresAt <= now) throw new DomainError('authentication', 'The session has ended');
  if (now.getTime() - found.usedAt.getTime() >= USED_INTERVAL_MS)
    await executor.query({ name: 'use_agent_session', text: USED, values: [found.organizationId, id, now] });
  const { actor, ...identified } = toIdentified(found);
  return { ...identified, actor: { ...actor, session: nameSession(id) } };
};

/** An API key is found by its hash; a login that goes with it must be its owner's. */
export const identifyAgent = async (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'region'>,
  { apiKey, login }: { apiKey: string; login?: string | undefined },
): Promise<IdentifiedAgent> => {
  assertRegion(apiKey, services.region);
  const found = await findAgentApiKey(executor, services.secrets.hash(apiKey));
  if (!found || (login !== undefined && login.toLowerCase() !== found.login)) {
    throw new DomainError('authentication', 'The login or the API key is wrong');
  }
  return toIdentified(found);
};
