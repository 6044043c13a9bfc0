import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type DomainErrorCode } from '#server/domain/errors.ts';
import { toDomainError } from '#server/http/failures.ts';
import { PAGE_HEADERS } from '#server/http/security-headers.ts';
import { renderNotice } from './layout.ts';

export const HTML = 'text/html; charset=utf-8';

const statuses: Partial<Record<DomainErrorCode, number>> = {
  validation: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_many_requests: 429,
  unavailable: 503,
};

/** A page says that something did not work, and what. */
export const refuse = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const error = toDomainError(thrown);
  const status = statuses[error.code] ?? 500;
  if (status === 500) request.log.error({ err: error.cause ?? error }, 'a page failed');
  if (error.details.allow) reply.header('allow', error.details.allow.join(', '));
  const title = status === 404 ? 'Nothing here' : status === 500 ? 'Something went wrong' : 'That did not work';
  return reply.code(status).headers(PAGE_HEADERS).type(HTML).send(renderNotice(title, error.message));
};

/** A known address with another method is 405. */
export const refuseWriting = (app: FastifyInstance, url: string): void => {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async () => {
      throw new DomainError('method_not_allowed', 'This page can only be read', { allow: ['GET', 'HEAD'] });
    },
  });
};
