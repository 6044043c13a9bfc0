import { LRUCache } from 'lru-cache';
import type { RateLimitClass } from '#contracts/rate-limit.ts';
import { DomainError } from '#server/domain/errors.ts';
import { networkOf, siteOf } from './networks.ts';

interface Bucket {
  tokens: number;
  at: number;
}

export interface Allowance {
  perSecond: number;
  burst: number;
}

/** Counts a call, or `amount` of something. Throws when the limit is exceeded. */
export type RateLimiter = (key: string, amount?: number) => void;

const MAX_KEYS = 100_000;

const unlimited: RateLimiter = () => {};

/**
 * A token bucket per key. The buckets are in the memory of the process, so a caller whose requests are spread over several
 * processes has the allowance once per process. In return, no request waits for a shared counter.
 */
export const createRateLimiter = (
  { perSecond, burst }: Allowance,
  enabled: boolean,
  nowMs: () => number = () => performance.now(),
  message = 'Too many requests',
): RateLimiter => {
  if (!enabled) return unlimited;
  // Opened with the first key, because it allocates several megabytes and there are many limiters.
  let buckets: LRUCache<string, Bucket> | undefined;
  return (key, requested = 1) => {
    // What is larger than the burst is possible with a full bucket.
    const amount = Math.min(requested, burst);
    buckets ??= new LRUCache({ max: MAX_KEYS });
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    // A rejected call takes no token, so a caller slightly above the limit still gets the steady rate.
    buckets.set(key, { tokens: tokens < amount ? tokens : tokens - amount, at: now });
    if (tokens < amount)
      throw new DomainError('too_many_requests', message, {
        retryAfterSeconds: Math.max(1, (amount - tokens) / perSecond),
      });
  };
};

/** A /48 contains 65,536 networks, which may belong to one client or to many. */
const SITE_FACTOR = 8;

export type AddressLimiter = (ip: string, of?: string, amount?: number) => void;

/**
 * Limits callers by address: IPv4 addresses, and /64 networks of IPv6. All networks of a /48 together have several times
 * the allowance, so that a client cannot escape the limit by changing networks. `of` separates what is counted.
 */
export const createAddressLimiter = (
  { perSecond, burst }: Allowance,
  enabled: boolean,
  nowMs?: () => number,
  message?: string,
): AddressLimiter => {
  const limitNetwork = createRateLimiter({ perSecond, burst }, enabled, nowMs, message);
  const ofSite = { perSecond: perSecond * SITE_FACTOR, burst: burst * SITE_FACTOR };
  const limitSite = createRateLimiter(ofSite, enabled, nowMs, message);
  return (ip, of = '', amount = 1) => {
    const site = siteOf(ip);
    if (site !== undefined) limitSite(`${of} ${site}`, amount);
    limitNetwork(`${of} ${networkOf(ip)}`, amount);
  };
};

/** The allowances of each class: per caller (agent, customer, session or address), and for all callers of an organization. */
const ALLOWANCES: Record<RateLimitClass, { caller: Allowance; organization?: Allowance }> = {
  agent: { caller: { perSecond: 50, burst: 200 } },
  customer: { caller: { perSecond: 20, burst: 100 }, organization: { perSecond: 2_000, burst: 10_000 } },
  anonymous_customer: { caller: { perSecond: 20, burst: 100 }, organization: { perSecond: 1_000, burst: 5_000 } },
  url_preview: { caller: { perSecond: 0.5, burst: 20 }, organization: { perSecond: 5, burst: 100 } },
  visitor_chat: { caller: { perSecond: 10, burst: 50 } },
  // One program may start chats for many visitors from one address.
  visitor_chat_start: { caller: { perSecond: 10, burst: 200 }, organization: { perSecond: 50, burst: 5_000 } },
  visitor_details: { caller: { perSecond: 10, burst: 100 } },
  // A whole office may share one address.
  beacon: { caller: { perSecond: 20, burst: 200 }, organization: { perSecond: 2_000, burst: 10_000 } },
};

export const createClassLimiter = (rateLimit: RateLimitClass, enabled: boolean) => {
  const { caller, organization } = ALLOWANCES[rateLimit];
  return {
    caller: createRateLimiter(caller, enabled),
    /** For callers who are known by their address only. */
    address: createAddressLimiter(caller, enabled),
    organization: organization ? createRateLimiter(organization, enabled) : unlimited,
  };
};

const MB = 1024 * 1024;
const perDay = (amount: number): number => amount / 86_400;
const perHour = (amount: number): number => amount / 3_600;

/** What customers may store, who are anonymous. The numbers are in `docs/behavior/common.md`. */
const QUOTAS = {
  uploadedBytes: {
    message: 'Upload quota exceeded',
    visitor: { perSecond: perDay(200 * MB), burst: 100 * MB },
    address: { perSecond: perDay(1_000 * MB), burst: 500 * MB },
    organization: { perSecond: perDay(10_000 * MB), burst: 2_000 * MB },
  },
  chats: {
    message: 'Too many new chats',
    visitor: { perSecond: 0.2, burst: 60 },
    address: { perSecond: 2, burst: 1_000 },
    organization: { perSecond: 50, burst: 5_000 },
  },
  tickets: {
    message: 'Too many new tickets',
    visitor: { perSecond: perHour(20), burst: 10 },
    address: { perSecond: perHour(120), burst: 60 },
    organization: { perSecond: 1, burst: 1_000 },
  },
} satisfies Record<string, { message: string } & Record<'visitor' | 'address' | 'organization', Allowance>>;

export interface QuotaHolder {
  visitorId: string;
  /** Absent if the address is unknown. */
  ip: string | undefined;
  organizationId: string;
}

export type Quota = (holder: QuotaHolder, amount?: number) => void;

/** Counts what a customer stores: per customer, per address and per organization. */
export const createQuota = (kind: keyof typeof QUOTAS, enabled: boolean, nowMs?: () => number): Quota => {
  const { message, ...quota } = QUOTAS[kind];
  const limitVisitor = createRateLimiter(quota.visitor, enabled, nowMs, message);
  const limitAddress = createAddressLimiter(quota.address, enabled, nowMs, message);
  const limitOrganization = createRateLimiter(quota.organization, enabled, nowMs, message);
  return ({ visitorId, ip, organizationId }, amount) => {
    limitVisitor(visitorId, amount);
    if (ip) limitAddress(ip, '', amount);
    limitOrganization(organizationId, amount);
  };
};
