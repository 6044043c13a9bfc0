import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, successStatus } from '#contracts/operation.ts';
import { auditCall } from './audit-call.ts';
import type { Call, Route } from './route.ts';
import { compileResponseCheck } from './validation.ts';

/** The schemas of responses with a body, by status. */
export const responseSchemas = (operation: Operation): Record<number, object> =>
  Object.fromEntries(Object.entries(operation.responses).filter(([, schema]) => schema !== null)) as Record<
    number,
    object
  >;

export type RunRoute = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Calls the handler with the parsed request. In tests, the response is checked against the contract. */
export const prepareRoute = <S>(app: FastifyInstance, { operation, handle }: Route<S>): RunRoute => {
  const checks = new Map(
    Object.entries(responseSchemas(operation)).map(([status, schema]) => [
      Number(status),
      compileResponseCheck(schema),
    ]),
  );
  const defaultStatus = successStatus(operation);
  return async (request, reply) => {
    reply.code(defaultStatus);
    const { params, query, body, scope } = request;
    const call = { params, query, body, scope: scope as S, request, reply } as Call<Operation, S>;
    const answer = await auditCall(operation, request, () => handle(call));
    const check = app.checkResponses ? checks.get(reply.statusCode) : undefined;
    const violation = check?.(JSON.parse(JSON.stringify(answer)));
    if (violation) throw new Error(`The response of ${operation.name} violates its contract: ${violation}`);
    return answer;
  };
};
