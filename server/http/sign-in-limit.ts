import type { FastifyRequest } from 'fastify';
import { createRateLimiter } from './rate-limit.ts';

const PER_ACCOUNT = { perSecond: 1 / 30, burst: 10 };
const PER_ADDRESS = { perSecond: 1 / 5, burst: 30 };

/** Counted for whatever login is tried, known or not, so that being slowed down tells nothing. */
export const createSignInLimit = (enabled: boolean): ((request: FastifyRequest, login: string) => void) => {
  const limitAddress = createRateLimiter(PER_ADDRESS, enabled);
  const limitAccount = createRateLimiter(PER_ACCOUNT, enabled);
  return ({ ip }, login) => {
    limitAddress(ip);
    limitAccount(login.trim().toLowerCase());
  };
};
