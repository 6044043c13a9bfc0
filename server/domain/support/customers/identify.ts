import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import { type CustomerCredential, findCustomerToken } from '#server/storage/platform.ts';
import { assertProductVersion } from '../../accounts/licenses/product-version.ts';
import { DomainError } from '../../errors.ts';
import { assertRegion } from '../../region.ts';
import type { Services } from '../../scope.ts';
import { assertNotBanned } from './bans.ts';
import { normalizeIp } from './normalize-ip.ts';

/** How long credentials are cached. Changes are published to all processes; this bounds the delay otherwise. */
const MAX_CACHE_AGE_MS = 1000;
const MAX_CACHED = 50_000;

export type { CustomerCredential };

export interface CustomerIdentifier {
  /** Identifies the customer of a token that is valid and allowed from this IP address. */
  identify(token: string, ip?: string): Promise<CustomerCredential>;
  /** Clears the cache after credentials changed. */
  forget(): void;
}

export const createCustomerIdentifier = (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'clock' | 'installation'>,
): CustomerIdentifier => {
  const cache = new LRUCache<string, CustomerCredential>({ max: MAX_CACHED, ttl: MAX_CACHE_AGE_MS });
  const find = async (token: string, ip: string | undefined): Promise<CustomerCredential | undefined> => {
    const key = `${ip} ${token}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const address = ip === undefined ? undefined : normalizeIp(ip);
    const credential = await findCustomerToken(executor, services.secrets.hash(token), address);
    if (credential) cache.set(key, credential);
    return credential;
  };
  return {
    identify: async (token, ip) => {
      assertRegion(token, services.installation.region);
      const credential = await find(token, ip);
      const now = services.clock.now();
      if (!credential || credential.expiresAt <= now) throw new DomainError('authentication', 'Authentication error');
      if (credential.licenseStatus === 'expired' || credential.licenseStatus === 'blocked')
        throw new DomainError('license_expired', 'License expired');
      assertProductVersion(credential.productVersion);
      assertNotBanned(credential.bannedUntil, now);
      assertNotBanned(credential.addressBannedUntil, now);
      return credential;
    },
    forget: () => cache.clear(),
  };
};
