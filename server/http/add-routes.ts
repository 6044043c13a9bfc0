import type { FastifyInstance } from 'fastify';
import type { Method, Operation } from '#contracts/operation.ts';
import { DomainError } from '#server/domain/errors.ts';
import { addOverloadedRoutes } from './overloaded-routes.ts';
import type { Route } from './route.ts';
import { prepareRoute, responseSchemas } from './run-route.ts';
import { isCacheable, sendSerialized } from './serialized-response.ts';

const addRoute = <S>(app: FastifyInstance, only: Route<S>): void => {
  const { operation } = only;
  const run = prepareRoute(app, only);
  app.route({
    method: operation.method,
    url: operation.path,
    schema: {
      ...(operation.params ? { params: operation.params } : {}),
      ...(operation.query ? { querystring: operation.query } : {}),
      ...(operation.body ? { body: operation.body } : {}),
      response: responseSchemas(operation),
    },
    config: { operation },
    handler: async (request, reply) => {
      const answer = await run(request, reply);
      if (isCacheable(answer)) return sendSerialized(reply, answer);
      // Handlers of downloads have already sent the file.
      return answer === undefined && !operation.download ? reply.send() : answer;
    },
  });
};

const METHODS: (Method | 'OPTIONS')[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A known path with another method returns 405 and lists the allowed methods. GET includes HEAD. */
const addMethodNotAllowed = (app: FastifyInstance, operations: Operation[]): void => {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  for (const [url, samePath] of byPath) {
    const taken = new Set<Method | 'OPTIONS'>(samePath.map((operation) => operation.method));
    if (app.answersPreflight) taken.add('OPTIONS');
    const allow = [...taken, ...(taken.has('GET') ? ['HEAD'] : [])];
    app.route({
      method: METHODS.filter((method) => !taken.has(method)),
      url,
      handler: async () => {
        throw new DomainError('method_not_allowed', `This path only supports ${allow.join(', ')}`, { allow });
      },
    });
  }
};

export const addRoutes = <S>(app: FastifyInstance, routes: Route<S>[]): void => {
  const byAddress = Map.groupBy(routes, ({ operation }) => `${operation.method} ${operation.path}`);
  for (const shapes of byAddress.values())
    shapes.length === 1 ? addRoute(app, shapes[0]!) : addOverloadedRoutes(app, shapes);
  addMethodNotAllowed(
    app,
    routes.map((one) => one.operation),
  );
};
