import type { FastifyRequest } from 'fastify';
import { VISITOR_ID } from '#server/domain/partners/clicks/visitor-id.ts';

const NAME = 'parley_visitor';
const COOKIE = new RegExp(`(?:^|;\\s*)${NAME}=(${VISITOR_ID})(?![^;\\s])`);
/** The attribution period of a click on a partner link. */
const MAX_AGE_SECONDS = 120 * 24 * 3600;

/** The visitor id from an earlier click on a partner link. */
export const readVisitor = ({ headers: { cookie } }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  cookie === undefined ? undefined : COOKIE.exec(cookie)?.[1];

/** Not readable by scripts. Sent when a link is followed from another site, but not with embedded content. */
export const visitorCookie = (id: string, { tls }: { tls: boolean }): string =>
  `${NAME}=${id}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${tls ? '; Secure' : ''}`;
