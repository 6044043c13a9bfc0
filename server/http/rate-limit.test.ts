import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressLimiter, createQuota, createRateLimiter } from './rate-limit.ts';

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

const tooMany = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'too_many_requests', details: { retryAfterSeconds } });

describe('a limit by address', () => {
  it('counts a /64 network as one caller, and all networks of a /48 together with eight times the allowance', () => {
    const limit = createAddressLimiter({ perSecond: 1, burst: 2 }, true, () => 0);
    limit('2001:db8:1:1::1');
    limit('2001:db8:1:1::2');
    expect(() => limit('2001:db8:1:1::3')).toThrow(tooMany(1));
    for (let network = 2; network <= 14; network++) limit(`2001:db8:1:${network}::1`);
    expect(() => limit('2001:db8:1:15::1')).toThrow(tooMany(1));
    limit('2001:db8:2:1::1');
  });

  it('counts IPv4 addresses one by one, and what is named separately', () => {
    const limit = createAddressLimiter({ perSecond: 1, burst: 1 }, true, () => 0);
    limit('192.0.2.1');
    limit('192.0.2.2');
    limit('192.0.2.1', 'other');
    expect(() => limit('::ffff:192.0.2.1')).toThrow(tooMany(1));
  });
});

describe('a quota', () => {
  const MB = 1024 * 1024;
  const upload = (visitorId: string, ip: string, organizationId = 'shop') => ({ visitorId, ip, organizationId });

  it('limits the bytes of a visitor and refills them slowly', () => {
    let now = 0;
    const count = createQuota('uploadedBytes', true, () => now);
    const ann = upload('ann', '192.0.2.1');
    for (let file = 0; file < 10; file++) count(ann, 10 * MB);
    expect(() => count(ann, 1)).toThrow(expect.objectContaining({ message: 'Upload quota exceeded' }));
    expect(() => count(ann, 10 * MB)).toThrow(tooMany(4320));
    count(upload('ben', '192.0.2.1'), 10 * MB);
    now += 4320 * 1000;
    count(ann, 10 * MB);
  });

  it('limits the bytes of an address whatever the visitor and organization', () => {
    const count = createQuota('uploadedBytes', true, () => 0);
    for (let visitor = 0; visitor < 50; visitor++)
      count(upload(`visitor ${visitor}`, '192.0.2.1', `shop ${visitor}`), 10 * MB);
    expect(() => count(upload('another', '192.0.2.1'), 10 * MB)).toThrow(
      expect.objectContaining({ code: 'too_many_requests' }),
    );
    count(upload('another', '192.0.2.2'), 10 * MB);
  });

  it('limits the bytes of an organization whatever the address', () => {
    const count = createQuota('uploadedBytes', true, () => 0);
    for (let file = 0; file < 200; file++) count(upload(`visitor ${file}`, `192.0.2.${file}`), 10 * MB);
    expect(() => count(upload('another', '198.51.100.1'), 10 * MB)).toThrow(
      expect.objectContaining({ code: 'too_many_requests' }),
    );
    count(upload('another', '198.51.100.1', 'other shop'), 10 * MB);
  });

  it('limits nothing when limits are off', () => {
    const count = createQuota('tickets', false);
    for (let ticket = 0; ticket < 10_000; ticket++) count(upload('ann', '192.0.2.1'));
  });
});
