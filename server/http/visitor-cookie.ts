import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '#server/domain/ids.ts';

const NAME = 'parley_visitor';
/** As long as a click on a partner's link counts for what comes of it. */
const MAX_AGE_SECONDS = 120 * 24 * 3600;

/** Somebody who followed a partner's link before. */
export const readVisitor = ({ cookies }: FastifyRequest): string | undefined => {
  const id = cookies[NAME];
  return id !== undefined && isUuid(id) ? id.toLowerCase() : undefined;
};

/** No script reads it. It comes along when a link is followed from elsewhere, but not with what other sites embed. */
export const writeVisitor = (reply: FastifyReply, id: string, { tls }: { tls: boolean }): void => {
  reply.header(
    'set-cookie',
    `${NAME}=${id}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${tls ? '; Secure' : ''}`,
  );
};
