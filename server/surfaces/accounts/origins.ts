import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';
import { isTrustedHost } from '#server/domain/licences/trusted-domains.ts';

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).hostname : undefined);

/** An organization that lists its domains is served on those and their subdomains only; without a list, everywhere. */
export const assertTrustedOrigin = ({ headers }: FastifyRequest, trustedDomains: string[]): void => {
  if (headers.origin === undefined || trustedDomains.length === 0) return;
  const host = hostOf(headers.origin);
  if (!host || !isTrustedHost(host, trustedDomains))
    throw new DomainError('forbidden', 'This domain is not trusted by the organization');
};

/** Browsers send the identity cookies only when the answer repeats their exact origin. */
export const allowCallingOrigin = (app: FastifyInstance): void => {
  app.answersPreflight = true;
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (!origin || !hostOf(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });
  app.options('/v2/customer/*', async (_, reply) => {
    reply.headers({
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, x-region',
      'access-control-max-age': '7200',
    });
    return reply.code(204).send();
  });
};
