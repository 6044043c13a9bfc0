import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import { type CustomerCredential, findCustomerToken } from '#server/storage/platform.ts';
import { assertProductVersion } from '../../accounts/licenses/product-version.ts';
import { DomainError } from '../../errors.ts';
import { assertRegion } from '../../region.ts';
import type { Services } from '../../scope.ts';
import { normalizeIp } from './address.ts';
import { assertNotBanned } from './bans.ts';

/** How long a look at a credential may be remembered. Changes made in any process are announced; this bounds the rest. */
const REMEMBER_MS = 1000;
const MAX_CACHED = 50_000;

export type { CustomerCredential };

export interface CustomerIdentifier {
  /** Who a token belongs to, provided it still counts and may be used from this address. */
  identify(token: string, ip?: string): Promise<CustomerCredential>;
  /** Something about credentials changed: look again. */
  forget(): void;
}

export const createCustomerIdentifier = (
  executor: Executor,
  services: Pick<Services, 'secrets' | 'clock' | 'region'>,
): CustomerIdentifier => {
  const known = new LRUCache<string, CustomerCredential>({ max: MAX_CACHED, ttl: REMEMBER_MS });
  const find = async (token: string, ip: string | undefined): Promise<CustomerCredential | undefined> => {
    const key = `${ip} ${token}`;
    const remembered = known.get(key);
    if (remembered) return remembered;
    const address = ip === undefined ? undefined : normalizeIp(ip);
    const credential = await findCustomerToken(executor, services.secrets.hash(token), address);
    if (credential) known.set(key, credential);
    return credential;
  };
  return {
    identify: async (token, ip) => {
      assertRegion(token, services.region);
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
    forget: () => known.clear(),
  };
};
