import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Services } from '#server/domain/scope.ts';
import { type AttemptLimit, countAttempt } from '#server/domain/support/agents/sign-in/sign-in-attempts.ts';
import { createRateLimiter } from './rate-limit.ts';

const PER_ACCOUNT: AttemptLimit = { burst: 10, refillSeconds: 30 };
const PER_NETWORK: AttemptLimit = { burst: 30, refillSeconds: 5 };

/** A client usually controls a whole /64 network of IPv6 addresses. */
export const networkOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};

/** Counts password attempts across all processes. */
export const createTryLimit = (services: Services, allowance: AttemptLimit, enabled: boolean) => {
  // Attempts above the limit in this process alone are rejected without a database query.
  const limit = createRateLimiter({ perSecond: 1 / allowance.refillSeconds, burst: allowance.burst }, enabled);
  return async (of: string): Promise<void> => {
    limit(of);
    if (enabled) await countAttempt(services, of, allowance);
  };
};

/** A one-time code has a million values, and up to three are valid at a time. */
const PER_DEVICE: AttemptLimit = { burst: 5, refillSeconds: 60 };

export type CodeLimit = (
  request: Pick<FastifyRequest, 'ip'>,
  who: { organizationId: string; login: string },
) => Promise<void>;

export const createCodeLimit = (services: Services, enabled: boolean): CodeLimit => {
  const limitNetwork = createTryLimit(services, PER_NETWORK, enabled);
  const limitDevice = createTryLimit(services, PER_DEVICE, enabled);
  return async ({ ip }, { organizationId, login }) => {
    await limitNetwork(`from ${networkOf(ip)}`);
    await limitDevice(`with a code ${organizationId} ${login}`);
  };
};

export type SignInLimit = (request: Pick<FastifyRequest, 'ip'>, login: string) => Promise<void>;

/** Unknown logins count too, so that the limit does not reveal which logins exist. */
export const createSignInLimit = (services: Services, enabled: boolean): SignInLimit => {
  const limitNetwork = createTryLimit(services, PER_NETWORK, enabled);
  const limitAccount = createTryLimit(services, PER_ACCOUNT, enabled);
  return async ({ ip }, login) => {
    await limitNetwork(`from ${networkOf(ip)}`);
    await limitAccount(`as ${login.trim().toLowerCase()}`);
  };
};

const RESETS: AttemptLimit = { burst: 5, refillSeconds: 600 };

/** Password resets are counted separately, so that they cannot block signing in. */
export const createResetLimit = (services: Services, enabled: boolean): SignInLimit => {
  const limitNetwork = createTryLimit(services, PER_NETWORK, enabled);
  const limitAccount = createTryLimit(services, RESETS, enabled);
  return async ({ ip }, login) => {
    await limitNetwork(`for a reset from ${networkOf(ip)}`);
    await limitAccount(`for a reset of ${login.trim().toLowerCase()}`);
  };
};
