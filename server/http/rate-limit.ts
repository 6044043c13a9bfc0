import { LRUCache } from 'lru-cache';
import type { RateLimitClass } from '#contracts/rate-limit.ts';
import { DomainError } from '#server/domain/errors.ts';

interface Bucket {
  tokens: number;
  at: number;
}

export interface Allowance {
  perSecond: number;
  burst: number;
}

export type RateLimiter = (key: string) => void;

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
): RateLimiter => {
  if (!enabled) return unlimited;
  // Opened with the first key, because it allocates several megabytes and there are many limiters.
  let buckets: LRUCache<string, Bucket> | undefined;
  return (key) => {
    buckets ??= new LRUCache({ max: MAX_KEYS });
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    // A rejected call takes no token, so a caller slightly above the limit still gets the steady rate.
    buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    if (tokens < 1)
      throw new DomainError('too_many_requests', 'Too many requests', {
        retryAfterSeconds: Math.max(1, (1 - tokens) / perSecond),
      });
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
  visitor_chat_start: { caller: { perSecond: 10, burst: 200 } },
  visitor_details: { caller: { perSecond: 10, burst: 100 } },
  // A whole office may share one address.
  beacon: { caller: { perSecond: 20, burst: 200 }, organization: { perSecond: 2_000, burst: 10_000 } },
};

export const createClassLimiter = (rateLimit: RateLimitClass, enabled: boolean) => {
  const { caller, organization } = ALLOWANCES[rateLimit];
  return {
    caller: createRateLimiter(caller, enabled),
    organization: organization ? createRateLimiter(organization, enabled) : unlimited,
  };
};
