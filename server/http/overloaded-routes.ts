import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#contracts/operation.ts';
import { rejectLists } from './reject-coercions.ts';
import type { Route } from './route.ts';
import { prepareRoute } from './run-route.ts';
import { compileMatch } from './validation.ts';

const PARTS = [
  ['params', 'params'],
  ['query', 'querystring'],
  ['body', 'body'],
] as const;

type Test = (request: FastifyRequest) => boolean;

const compileWhen = ({ when }: Operation): Test => {
  const tests = PARTS.flatMap(([part]): Test[] => {
    const schema = when?.[part];
    if (!schema) return [];
    const matches = compileMatch(schema);
    return [(request) => matches(request[part])];
  });
  return (request) => tests.every((test) => test(request));
};

/** Fastify validates one schema per route before the operation is known, so each operation validates here. */
const validate = (operation: Operation, request: FastifyRequest): void => {
  for (const [part, httpPart] of PARTS) {
    const schema = operation[part];
    if (schema && part === 'body') rejectLists(request, schema);
    const check = schema && request.compileValidationSchema(schema as Record<string, unknown>, httpPart);
    if (check && !check(request[part])) {
      throw Object.assign(new Error('The request is not valid'), { validation: check.errors });
    }
  }
};

const send = (operation: Operation, answer: unknown, reply: FastifyReply): FastifyReply => {
  const schema = operation.responses[reply.statusCode];
  if (!schema) return reply.send();
  const serialize = reply.compileSerializationSchema(schema as Record<string, unknown>);
  return reply.type('application/json; charset=utf-8').serializer(serialize).send(answer);
};

/** Several operations share one method and path; the request decides which one is meant. */
export const addOverloadedRoutes = <S>(app: FastifyInstance, routes: Route<S>[]): void => {
  const defaultRoute = routes.find(({ operation }) => !operation.when);
  if (!defaultRoute) throw new Error(`No default operation at ${routes[0]?.operation.path}`);
  const shapes = [...routes.filter((one) => one !== defaultRoute), defaultRoute].map((one) => ({
    operation: one.operation,
    matches: compileWhen(one.operation),
    run: prepareRoute(app, one),
  }));
  app.route({
    method: defaultRoute.operation.method,
    url: defaultRoute.operation.path,
    config: { operation: defaultRoute.operation },
    handler: async (request, reply) => {
      const { operation, run } = shapes.find(({ matches }) => matches(request))!;
      validate(operation, request);
      return send(operation, await run(request, reply), reply);
    },
  });
};
