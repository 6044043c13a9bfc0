import type { FastifyInstance } from 'fastify';

const PREFLIGHT_SECONDS = '7200';

/**
 * Any page may call with its own credential. Cookies are never accepted here, so the response allows any origin
 * and no credentials.
 */
export const allowAnyOrigin = (app: FastifyInstance, preflightPath: string): void => {
  app.answersPreflight = true;
  app.addHook('onRequest', async (_, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'retry-after, x-request-id, x-invalid-fields');
  });
  app.options(preflightPath, async (_, reply) => {
    reply.headers({
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type, x-api-version, x-region, x-author-id',
      'access-control-max-age': PREFLIGHT_SECONDS,
    });
    return reply.code(204).send();
  });
};
