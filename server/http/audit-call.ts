import type { FastifyRequest } from 'fastify';
import type { Operation } from '#contracts/operation.ts';
import type { BaseScope } from '#server/domain/scope.ts';
import { toDomainError } from './to-domain-error.ts';

type Caller = Partial<BaseScope & { organizationId: string; partnerId: number }>;

/**
 * Logs each call of an operation with `audit: true`: who made it, when and how it ended. Input and output are not logged,
 * because they may contain secrets. Path parameters say what was changed.
 */
export const auditCall = async <R>(
  operation: Operation,
  { log, scope, params }: FastifyRequest,
  call: () => R | Promise<R>,
): Promise<R> => {
  if (!operation.audit) return call();
  const { actor, organizationId, partnerId } = (scope ?? {}) as Caller;
  const agentId = actor?.kind === 'agent' ? actor.id : undefined;
  const caller = { actor: actor?.kind, organizationId, partnerId, agentId };
  const write = (outcome: string) => log.info({ operation: operation.name, ...caller, params, outcome }, 'audit');
  try {
    const answer = await call();
    write('success');
    return answer;
  } catch (error) {
    write(toDomainError(error).code);
    throw error;
  }
};
