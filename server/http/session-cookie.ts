import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';

const NAME = 'parley_session';

export const readSession = ({ cookies }: FastifyRequest): string | undefined => cookies[NAME] || undefined;

/** Not readable by scripts, and not sent with requests from other sites. */
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

/**
 * Whether one of the server's own pages sent the request, according to the Origin or Sec-Fetch-Site header that every
 * browser sends.
 */
export const isFromOwnPage = ({ headers }: { headers: IncomingHttpHeaders }, ownUrl: string): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return false;
  // The server may be reached by another host name; then both the cookie and the page belong to that name.
  return headers.origin === new URL(ownUrl).origin || URL.parse(headers.origin)?.host === headers.host;
};

/**
 * The same for a socket, which opens before Fastify parses cookies. The cookie is ignored if another site's page opened
 * the socket.
 */
export const readSessionHeader = (request: { headers: IncomingHttpHeaders }, ownUrl: string): string | undefined => {
  const { cookie } = request.headers;
  return cookie && isFromOwnPage(request, ownUrl) ? fastifyCookie.parse(cookie)[NAME] || undefined : undefined;
};

/** Rejects forged cross-site requests of browsers. Clients other than browsers send no cookies by themselves. */
export const assertOwnPage = (request: Pick<FastifyRequest, 'headers'>, ownUrl: string): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isBrowser = origin !== undefined || (site !== undefined && site !== 'none');
  if (isBrowser && !isFromOwnPage(request, ownUrl))
    throw new DomainError('forbidden', 'Cross-domain browser requests are denied');
};
