import type { FastifyRequest } from 'fastify';
import { VISITOR_ID } from '#server/domain/partners/clicks/visitor-id.ts';

const NAME = 'parley_visitor';
const COOKIE = new RegExp(`(?:^|;\\s*)${NAME}=(${VISITOR_ID})(?![^;\\s])`);
/** As long as a click on a partner's link counts for what comes of it. */
const MAX_AGE_SECONDS = 120 * 24 * 3600;

/** Somebody who followed a partner's link before. */
export const readVisitor = ({ headers: { cookie } }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  cookie === undefined ? undefined : COOKIE.exec(cookie)?.[1];

/** No script reads it. It comes along when a link is followed from elsewhere, but not with what other sites embed. */
export const visitorCookie = (id: string, { tls }: { tls: boolean }): string =>
  `${NAME}=${id}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${tls ? '; Secure' : ''}`;
