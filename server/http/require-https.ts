import type { FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';

/** Monitoring on the same machine calls these without a proxy. */
const OPEN = /^\/(health\/|metrics)/;

/** Fastify reads `X-Forwarded-Proto` only from trusted proxies, so a client cannot forge it. */
export const assertHttps = ({ protocol, url }: Pick<FastifyRequest, 'protocol' | 'url'>): void => {
  if (protocol !== 'https' && !OPEN.test(url)) throw new DomainError('forbidden', 'This server requires HTTPS');
};
