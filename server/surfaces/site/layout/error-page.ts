import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type DomainErrorCode } from '#server/domain/errors.ts';
import { PAGE_HEADERS } from '#server/http/security-headers.ts';
import { toDomainError } from '#server/http/to-domain-error.ts';
import { renderNotice } from './layout.ts';

export const HTML = 'text/html; charset=utf-8';

const statuses: Partial<Record<DomainErrorCode, number>> = {
  validation: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_many_requests: 429,
  storage_full: 507,
  unavailable: 503,
};

const titles: Record<number, string> = {
  404: 'Page not found',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** Renders an error as a page. */
export const sendErrorPage = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const error = toDomainError(thrown);
  const status = statuses[error.code] ?? 500;
  if (status === 500) request.log.error({ err: error.cause ?? error }, 'page request failed');
  if (error.details.allow) reply.header('allow', error.details.allow.join(', '));
  const title = titles[status] ?? 'Something went wrong';
  return reply.code(status).headers(PAGE_HEADERS).type(HTML).send(renderNotice(title, error.message));
};

/** Answers other methods on a known path with 405. */
export const rejectWrites = (app: FastifyInstance, url: string): void => {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async () => {
      throw new DomainError('method_not_allowed', 'This page only supports GET requests', { allow: ['GET', 'HEAD'] });
    },
  });
};
