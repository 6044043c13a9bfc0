import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { MARKS, noteHit, readMark } from '../short-links/hits.ts';

/** Attribution parameters of a partner link. */
export const TRAIL = ['a', 'utm_campaign', ...MARKS] as const;

/** Attribution parameters of the current URL, to be passed on to the next page. */
export const readTrail = (query: unknown): Partial<Record<(typeof TRAIL)[number], string>> =>
  Object.fromEntries(TRAIL.map((name) => [name, readMark(query, name)] as const).filter(([, value]) => value !== ''));

/** Counts a visit through a partner's long link as a click; after a short link it is a repeated one. Failures do not affect the page. */
export const noteLanding = async (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  product: string,
): Promise<Link | undefined> => {
  const partnerId = readMark(request.query, 'a');
  if (partnerId === '') return undefined;
  const slug = readMark(request.query, 'utm_campaign');
  const link = await ctx.links.byMarks({ partnerId, slug, product }).catch((error: unknown) => {
    request.log.warn({ err: error }, 'landing page campaign lookup failed');
    return undefined;
  });
  if (!link) return undefined;
  const { cookie, crowded } = noteHit(ctx, request, link);
  reply.header('set-cookie', cookie);
  await crowded;
  return link;
};
