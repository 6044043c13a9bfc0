import type { FastifyInstance } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';

/** `/v3.4/…`, or an unversioned URL with another version in the header. */
export const rejectOtherVersions = (app: FastifyInstance, audience: 'customer' | 'agent' | 'configuration'): void => {
  app.all<{ Params: { version: string } }>(`/v:version/${audience}/action/*`, async ({ params }) => {
    if (params.version === '3.5') throw new DomainError('not_found', 'Operation not found');
    throw new DomainError('unsupported_version', 'Unsupported version');
  });
};
