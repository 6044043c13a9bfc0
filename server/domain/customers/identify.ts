import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/database.ts';
import { type CustomerCredential, findCustomerToken } from '#server/storage/platform.ts';
import { DomainError } from '../errors.ts';
import { assertRegion } from '../region.ts';
import type { Services } from '../scope.ts';

/** How long a look at a credential may be remembered. Changes made in any process are announced; this bounds the rest. */
const REMEMBER_MS = 1000;
const MOST_REMEMBERED = 50_000;

export interface CustomerIdentifier {
  /** Who a token belongs to, provided it still counts. */
  identify(token: string): Promise<CustomerCredential>;
  /** Something about credentials changed: look again. */
  forget(): void;
}

export const createCustomerIdentifier = (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'clock' | 'region'>,
): CustomerIdentifier => {
  const known = new LRUCache<string, CustomerCredential>({ max: MOST_REMEMBERED, ttl: REMEMBER_MS });
  const find = async (token: string): Promise<CustomerCredential | undefined> => {
    const remembered = known.get(token);
    if (remembered) return remembered;
    const credential = await findCustomerToken(executor, services.secrets.hash(token));
    if (credential) known.set(token, credential);
    return credential;
  };
  return {
    identify: async (token) => {
      assertRegion(token, services.region);
      const credential = await find(token);
      const now = services.clock.now();
      if (!credential || credential.expiresAt <= now) throw new DomainError('authentication', 'Authentication error');
      if (credential.licenceStatus === 'expired' || credential.licenceStatus === 'blocked')
        throw new DomainError('licence_expired', 'License expired');
      if (credential.bannedUntil && credential.bannedUntil > now)
        throw new DomainError('customer_banned', 'Customer is banned');
      return credential;
    },
    forget: () => known.clear(),
  };
};
