import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { assertHttps } from '#server/http/require-https.ts';
import { rejectWrites, sendErrorPage } from '../layout/error-page.ts';
import { FOUND, type Redirect } from './create-redirect.ts';

/** Short links of campaigns. The redirect never depends on whether the click could be recorded. */
export const addShortLinks = (app: FastifyInstance, ctx: Context, redirect: Redirect): void => {
  const { config } = ctx;
  const { links } = ctx.partners;
  app.setErrorHandler(sendErrorPage);
  // A logger for each request costs more than the redirect.
  app.setChildLoggerFactory((logger) => logger);
  app.get<{ Params: { code: string } }>('/go/:code', async (request, reply) => {
    if (config.requireHttps) assertHttps(request);
    const { code } = request.params;
    const link = links.knownByCode(code) ?? (await links.byCode(code));
    if (!link) throw new DomainError('not_found', 'This link does not exist or is disabled.');
    const { headers, backpressure } = redirect(request, link);
    await backpressure;
    if (ctx.stopping) reply.header('connection', 'close');
    return reply.code(FOUND).headers(headers).send();
  });
  rejectWrites(app, '/go/:code');
};
