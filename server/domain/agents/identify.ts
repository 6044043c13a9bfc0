import type { Executor } from '#server/storage/database.ts';
import { type AgentCredential, findAgentApiKey } from '#server/storage/platform.ts';
import type { AgentActor } from '../access.ts';
import { DomainError } from '../errors.ts';
import { assertRegion } from '../region.ts';
import type { Services } from '../scope.ts';

export interface IdentifiedAgent {
  organizationId: string;
  licenceStatus: AgentCredential['licenceStatus'];
  actor: AgentActor;
}

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
  const { organizationId, licenceStatus, permission, groupIds } = found;
  return { organizationId, licenceStatus, actor: { kind: 'agent', id: found.login, permission, groupIds } };
};
