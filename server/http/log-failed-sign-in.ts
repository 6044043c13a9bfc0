import type { FastifyRequest } from 'fastify';
import { isEmail } from '#server/domain/support/forms/email.ts';
import { toDomainError } from './to-domain-error.ts';

/**
 * Logs wrong credentials and refused attempts. People type passwords into the wrong field, so a login that is not an
 * address is not logged.
 */
export const logFailedSignIn = async <R>(
  { log, ip }: Pick<FastifyRequest, 'log' | 'ip'>,
  login: string,
  signIn: () => Promise<R>,
): Promise<R> => {
  try {
    return await signIn();
  } catch (error) {
    const { code } = toDomainError(error);
    if (code === 'authentication' || code === 'too_many_requests')
      log.warn({ ...(isEmail(login) ? { login } : {}), ip, reason: code }, 'sign-in failed');
    throw error;
  }
};
