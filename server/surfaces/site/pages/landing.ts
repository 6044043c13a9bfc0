import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { MARKS, noteHit, readMark } from '../short-links/hits.ts';

/** All that a link may say about who sent the visitor. */
export const TRAIL = ['a', 'utm_campaign', ...MARKS] as const;

/** What the address of a page says, to be carried on to the next one. */
export const readTrail = (query: unknown): Partial<Record<(typeof TRAIL)[number], string>> =>
  Object.fromEntries(TRAIL.map((name) => [name, readMark(query, name)] as const).filter(([, value]) => value !== ''));

/**
 * Somebody came to a page by a partner's long link: that is a click like any other, and after a short link a repeated one.
 * A page is shown in any case.
 */
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
    request.log.warn({ err: error }, 'the campaign of a landing page was not found');
    return undefined;
  });
  if (!link) return undefined;
  const { cookie, crowded } = noteHit(ctx, request, link);
  reply.header('set-cookie', cookie);
  await crowded;
  return link;
};
