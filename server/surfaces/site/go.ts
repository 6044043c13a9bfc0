import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { isLandingPage, landingUrlOf } from '#server/domain/campaigns/links.ts';
import type { Link } from '#server/domain/clicks/find-link.ts';
import { DomainError } from '#server/domain/errors.ts';
import { assertHttps } from '#server/http/require-https.ts';
import { noteHit, readMarks } from './hits.ts';
import { refuse, refuseWriting } from './refuse.ts';

/** Short links of campaigns. A visitor is sent on whatever becomes of the click. */
export const addGo = (app: FastifyInstance, ctx: Context): void => {
  const { links, services, config } = ctx;
  const landings = new WeakMap<Link, string>();

  /** Where a link may lead is settled when it is made; a host that the operator no longer names is not led to. */
  const landingOf = (link: Link, marks: Record<string, string>): string => {
    const isAllowed = link.landingUrl !== null && isLandingPage(services, link.landingUrl);
    return landingUrlOf(services, isAllowed ? link : { ...link, landingUrl: null }, marks);
  };

  /** Most links are followed as they are, so that their landing page is put together once. */
  const plainLandingOf = (link: Link): string => {
    const known = landings.get(link) ?? landingOf(link, {});
    landings.set(link, known);
    return known;
  };

  app.setErrorHandler(refuse);
  // A logger for each request costs more than the redirect.
  app.setChildLoggerFactory((logger) => logger);
  app.get<{ Params: { code: string } }>('/go/:code', async (request, reply) => {
    if (config.requireHttps) assertHttps(request);
    const { code } = request.params;
    const link = links.knownByCode(code) ?? (await links.byCode(code));
    if (!link) throw new DomainError('not_found', 'This link leads nowhere.');
    const crowded = noteHit(ctx, request, reply, link);
    if (crowded) await crowded;
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    if (ctx.stopping) reply.header('connection', 'close');
    const url = request.url.includes('?') ? landingOf(link, readMarks(request.query)) : plainLandingOf(link);
    return reply.redirect(url, 302);
  });
  refuseWriting(app, '/go/:code');
};
