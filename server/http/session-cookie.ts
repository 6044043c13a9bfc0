import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';

const NAME = 'parley_session';

export const readSession = ({ cookies }: FastifyRequest): string | undefined => cookies[NAME] || undefined;

/** No script reads it, and no other site's form sends it along. */
export const writeSession = (
  reply: FastifyReply,
  secret: string,
  { tls, maxAge }: { tls: boolean; maxAge: number },
): void => {
  reply.setCookie(NAME, secret, { path: '/', httpOnly: true, sameSite: 'lax', secure: tls, maxAge });
};

export const clearSession = (reply: FastifyReply): void => {
  reply.clearCookie(NAME, { path: '/' });
};

/** Whether a page of our own sent it. Browsers say so in one of two headers; who says nothing is no browser of today. */
export const isFromOwnPage = ({ headers }: { headers: IncomingHttpHeaders }, ownUrl: string): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return false;
  // People may reach us by another name than our own; their cookie is of that name then, and so is the page.
  return headers.origin === new URL(ownUrl).origin || URL.parse(headers.origin)?.host === headers.host;
};

/** The same of a socket, which is opened before Fastify reads cookies; what another page opens counts as nobody's. */
export const readSessionHeader = (request: { headers: IncomingHttpHeaders }, ownUrl: string): string | undefined => {
  const { cookie } = request.headers;
  return cookie && isFromOwnPage(request, ownUrl) ? fastifyCookie.parse(cookie)[NAME] || undefined : undefined;
};

/** Another site's form could act for its visitor; whoever is no browser has no such visitor. */
export const assertOwnPage = (request: Pick<FastifyRequest, 'headers'>, ownUrl: string): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isBrowser = origin !== undefined || (site !== undefined && site !== 'none');
  if (isBrowser && !isFromOwnPage(request, ownUrl))
    throw new DomainError('forbidden', 'Cross-domain browser requests are denied');
};
