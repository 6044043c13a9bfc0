import type { FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';

/** Whoever looks after the machine asks from it, without a proxy. */
const OPEN = /^\/(health\/|metrics)/;

/** Fastify believes `X-Forwarded-Proto` only of proxies that are trusted, so a caller cannot claim it. */
export const assertHttps = ({ protocol, url }: Pick<FastifyRequest, 'protocol' | 'url'>): void => {
  if (protocol !== 'https' && !OPEN.test(url))
    throw new DomainError('forbidden', 'This server answers over HTTPS only');
};
