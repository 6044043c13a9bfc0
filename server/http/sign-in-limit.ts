import type { FastifyRequest } from 'fastify';
import type { Services } from '#server/domain/scope.ts';
import {
  type AttemptLimit,
  countAttempt,
  refundAttempt,
} from '#server/domain/support/agents/sign-in/sign-in-attempts.ts';
import { readKnownDevice } from './known-device.ts';
import { networkOf, siteOf } from './networks.ts';
import { createRateLimiter } from './rate-limit.ts';

const PER_LOGIN_AND_NETWORK: AttemptLimit = { burst: 10, refillSeconds: 30 };
/** Of all unknown devices together, against guessing from many networks. */
const PER_LOGIN: AttemptLimit = { burst: 100, refillSeconds: 10 };
const PER_NETWORK: AttemptLimit = { burst: 30, refillSeconds: 5 };
/** For all networks of a /48 together, so that changing networks does not give more attempts without end. */
const PER_SITE: AttemptLimit = { burst: 240, refillSeconds: 0.625 };

/** Called when the attempt succeeded. Attempts are counted first, so that concurrent ones cannot exceed the limit. */
export type Refund = () => Promise<void>;

const refundAll =
  (...refunds: Refund[]): Refund =>
  async () => {
    for (const refund of refunds) await refund();
  };

/** Counts password attempts across all processes. */
export const createTryLimit = (services: Services, allowance: AttemptLimit, enabled: boolean) => {
  // Attempts above the limit in this process alone are rejected without a database query.
  const limit = createRateLimiter({ perSecond: 1 / allowance.refillSeconds, burst: allowance.burst }, enabled);
  return async (of: string): Promise<Refund> => {
    limit(of);
    if (enabled) await countAttempt(services, of, allowance);
    return async () => {
      limit(of, -1);
      if (enabled) await refundAttempt(services, of, allowance);
    };
  };
};

/** Counts attempts by address. */
const createNetworkLimit = (services: Services, enabled: boolean) => {
  const limitNetwork = createTryLimit(services, PER_NETWORK, enabled);
  const limitSite = createTryLimit(services, PER_SITE, enabled);
  return async ({ ip }: Pick<FastifyRequest, 'ip'>, of: string): Promise<Refund> => {
    const site = siteOf(ip);
    const ofSite = site === undefined ? [] : [await limitSite(`${of} ${site}`)];
    return refundAll(...ofSite, await limitNetwork(`${of} ${networkOf(ip)}`));
  };
};

/** A one-time code has a million values, and up to three are valid at a time. */
const PER_DEVICE: AttemptLimit = { burst: 5, refillSeconds: 60 };

type CodeLimit = (
  request: Pick<FastifyRequest, 'ip'>,
  who: { organizationId: string; login: string },
) => Promise<Refund>;

const createCodeLimit = (services: Services, enabled: boolean): CodeLimit => {
  const limitNetwork = createNetworkLimit(services, enabled);
  const limitDevice = createTryLimit(services, PER_DEVICE, enabled);
  return async (request, { organizationId, login }) =>
    refundAll(await limitNetwork(request, 'from'), await limitDevice(`with a code ${organizationId} ${login}`));
};

type SignInLimit = (request: Pick<FastifyRequest, 'ip' | 'cookies'>, login: string) => Promise<Refund>;

/**
 * Unknown logins count too, so that the limit does not reveal which logins exist. A browser in which the login has
 * signed in before is counted separately: wrong passwords of others do not lock its user out.
 */
export const createSignInLimit = (services: Services, enabled: boolean): SignInLimit => {
  const limitNetwork = createNetworkLimit(services, enabled);
  const limitLoginAndNetwork = createTryLimit(services, PER_LOGIN_AND_NETWORK, enabled);
  const limitLogin = createTryLimit(services, PER_LOGIN, enabled);
  return async (request, login) => {
    const name = login.trim().toLowerCase();
    const device = readKnownDevice(services.secrets, request, name);
    if (device) return limitLoginAndNetwork(`as ${name} on ${device}`);
    return refundAll(
      await limitNetwork(request, 'from'),
      await limitLoginAndNetwork(`as ${name} from ${networkOf(request.ip)}`),
      await limitLogin(`as ${name}`),
    );
  };
};

const RESETS: AttemptLimit = { burst: 5, refillSeconds: 600 };

/** Password resets are counted separately, so that they cannot block signing in. */
const createResetLimit = (services: Services, enabled: boolean): SignInLimit => {
  const limitNetwork = createNetworkLimit(services, enabled);
  const limitAccount = createTryLimit(services, RESETS, enabled);
  return async (request, login) =>
    refundAll(
      await limitNetwork(request, 'for a reset from'),
      await limitAccount(`for a reset of ${login.trim().toLowerCase()}`),
    );
};

/** Slow down guessing on all pages and APIs. */
export interface SignInLimits {
  passwords: SignInLimit;
  codes: CodeLimit;
  resets: SignInLimit;
}

export const createSignInLimits = (services: Services, enabled: boolean): SignInLimits => ({
  passwords: createSignInLimit(services, enabled),
  codes: createCodeLimit(services, enabled),
  resets: createResetLimit(services, enabled),
});
