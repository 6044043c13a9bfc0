import type { FastifyInstance } from 'fastify';
import { originHost } from '#server/http/trusted-origin.ts';

/** Browsers send the identity cookies only if the response repeats their exact origin. */
export const allowCallingOrigin = (app: FastifyInstance): void => {
  app.answersPreflight = true;
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (!origin || !originHost(origin)) return;
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
