import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from './rate-limit.ts';

const heldLimiter = (perSecond: number, burst: number) => {
  let now = 0;
  const limit = createRateLimiter({ perSecond, burst }, true, () => now);
  const passes = (key = 'a'): boolean => {
    try {
      limit(key);
      return true;
    } catch {
      return false;
    }
  };
  const advance = (ms: number): void => {
    now += ms;
  };
  return { limit, passes, advance };
};

describe('the rate limiter', () => {
  it('allows a burst, then only the steady rate', () => {
    const { passes, advance } = heldLimiter(2, 3);
    expect([passes(), passes(), passes(), passes()]).toEqual([true, true, true, false]);
    advance(499);
    expect(passes()).toBe(false);
    advance(501);
    expect([passes(), passes(), passes()]).toEqual([true, true, false]);
  });

  it('refills up to the burst and not beyond', () => {
    const { passes, advance } = heldLimiter(10, 2);
    advance(3_600_000);
    expect([passes(), passes(), passes()]).toEqual([true, true, false]);
  });

  it('gives the steady rate to a caller slightly above the limit', () => {
    const { passes, advance } = heldLimiter(10, 10);
    let passed = 0;
    for (let call = 0; call < 660; call++) {
      if (passes()) passed += 1;
      advance(1000 / 11);
    }
    expect(passed).toBeGreaterThanOrEqual(599);
  });

  it('counts each caller separately', () => {
    const { passes } = heldLimiter(1, 1);
    expect([passes('a'), passes('b'), passes('a')]).toEqual([true, true, false]);
  });

  it('reports how long to wait, at least one second', () => {
    const { limit, passes } = heldLimiter(0.1, 1);
    passes();
    expect(() => limit('a')).toThrow(
      expect.objectContaining({ code: 'too_many_requests', details: { retryAfterSeconds: 10 } }),
    );
    const quick = heldLimiter(1000, 1);
    quick.passes();
    expect(() => quick.limit('a')).toThrow(expect.objectContaining({ details: { retryAfterSeconds: 1 } }));
  });

  it('allows everything when disabled', () => {
    const limit = createRateLimiter({ perSecond: 1, burst: 1 }, false);
    for (let at = 0; at < 10; at++) limit('a');
  });

  it('never allows more than the burst plus rate times time, and always serves a caller who waits', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 100 }), (waits) => {
        const { passes, advance } = heldLimiter(5, 10);
        let passed = 0;
        let time = 0;
        for (const wait of waits) {
          advance(wait);
          time += wait;
          if (passes()) passed += 1;
        }
        expect(passed).toBeLessThanOrEqual(10 + (time / 1000) * 5 + 1e-6);
        advance(60_000);
        expect(passes()).toBe(true);
      }),
    );
  });
});
