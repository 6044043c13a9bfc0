import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { readParameter, recordHit, UTM_PARAMETERS } from '../short-links/record-hit.ts';

/** Attribution parameters of a partner link. */
export const ATTRIBUTION_PARAMETERS = ['a', 'utm_campaign', ...UTM_PARAMETERS] as const;

/** Attribution parameters of the current URL, to be passed on to the next page. */
export const readAttribution = (query: unknown): Partial<Record<(typeof ATTRIBUTION_PARAMETERS)[number], string>> =>
  Object.fromEntries(
    ATTRIBUTION_PARAMETERS.map((name) => [name, readParameter(query, name)] as const).filter(
      ([, value]) => value !== '',
    ),
  );

/** Counts a visit through a partner's long link as a click; after a short link it is a repeated one. Failures do not affect the page. */
export const recordLanding = async (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  product: string,
): Promise<Link | undefined> => {
  const partnerId = readParameter(request.query, 'a');
  if (partnerId === '') return undefined;
  const slug = readParameter(request.query, 'utm_campaign');
  const link = await ctx.partners.links.byParameters({ partnerId, slug, product }).catch((error: unknown) => {
    request.log.warn({ err: error }, 'landing page campaign lookup failed');
    return undefined;
  });
  if (!link) return undefined;
  const { cookie, backpressure } = recordHit(ctx, request, link);
  reply.header('set-cookie', cookie);
  await backpressure;
  return link;
};
