import { LRUCache } from 'lru-cache';
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

/**
 * A token bucket per key: bursts pass, a steady flood does not. Kept in the process; a caller that spreads over several
 * processes gets as many allowances, which is the price of asking nobody.
 */
export const createRateLimiter = (
  { perSecond, burst }: Allowance,
  enabled: boolean,
  nowMs: () => number = () => performance.now(),
): RateLimiter => {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_KEYS });
  return (key) => {
    if (!enabled) return;
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    // A refused call spends nothing: whoever asks a little too often still gets the steady rate.
    buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    if (tokens < 1)
      throw new DomainError('too_many_requests', 'Too many requests', {
        retryAfterSeconds: Math.max(1, (1 - tokens) / perSecond),
      });
  };
};
