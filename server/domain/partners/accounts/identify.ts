import type { Executor } from '#server/storage/executor.ts';
import { findPartnerToken, type PartnerCredential } from '#server/storage/platform.ts';
import { DomainError } from '../../errors.ts';
import { assertRegion } from '../../region.ts';
import type { Services } from '../../scope.ts';

/** Never cached, so that a revoked token stops working immediately. */
export const identifyPartner = async (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'installation'>,
  token: string,
): Promise<PartnerCredential> => {
  assertRegion(token, services.installation.region);
  const found = await findPartnerToken(executor, services.secrets.hash(token));
  if (!found) throw new DomainError('authentication', 'The API token is missing or invalid');
  return found;
};
