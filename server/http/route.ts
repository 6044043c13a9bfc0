import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, Method, Operation, ParamsOf, QueryOf } from '#contracts/operation.ts';
import { DomainError } from '#server/domain/errors.ts';
import { prepareRoute, responseSchemas } from './run-route.ts';
import { addShapes } from './shapes.ts';
import { isWrittenOnce, sendWritten } from './written-once.ts';

/** What was asked, by whichever way it came. */
export interface Ask<O extends Operation, S> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  /** Who asks, and what they own. */
  scope: S;
}

export interface Call<O extends Operation, S> extends Ask<O, S> {
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<O extends Operation, S> = (call: Call<O, S>) => Promise<AnswerOf<O>> | AnswerOf<O>;

/** A handler bound to its operation; the surfaces' index files are lists of these. */
export interface Route<S> {
  operation: Operation;
  handle: (call: Call<Operation, S>) => unknown;
}

export const route =
  <S>() =>
  <O extends Operation>(operation: O, handler: Handler<O, S>): Route<S> => ({
    operation,
    handle: handler as unknown as Route<S>['handle'],
  });

/** A route that needs nothing of HTTP, so it also works as an action over a socket. */
export interface Action<S> extends Route<S> {
  handle: (ask: Ask<Operation, S>) => unknown;
}

export const action =
  <S>() =>
  <O extends Operation>(operation: O, handler: (ask: Ask<O, S>) => Promise<AnswerOf<O>> | AnswerOf<O>): Action<S> => ({
    operation,
    handle: handler as unknown as Action<S>['handle'],
  });

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the surface's `auth.ts` before the body is read. */
    scope: unknown;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyInstance {
    /** Tests only: every answer is held against its contract. */
    checkResponses: boolean;
    /** A surface that browsers of other origins call answers OPTIONS itself. */
    answersPreflight: boolean;
  }
}

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
      if (isWrittenOnce(answer)) return sendWritten(reply, answer);
      // Whoever answers with a file has sent it already.
      return answer === undefined && !operation.download ? reply.send() : answer;
    },
  });
};

const METHODS: (Method | 'OPTIONS')[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A known path with another method is 405 and says what would work; GET brings HEAD along. */
const addMethodNotAllowed = (app: FastifyInstance, operations: Operation[]): void => {
  const byPath = Map.groupBy(operations, (operation) => operation.path);
  for (const [url, known] of byPath) {
    const taken = new Set<Method | 'OPTIONS'>(known.map((operation) => operation.method));
    if (app.answersPreflight) taken.add('OPTIONS');
    const allow = [...taken, ...(taken.has('GET') ? ['HEAD'] : [])];
    app.route({
      method: METHODS.filter((method) => !taken.has(method)),
      url,
      handler: async () => {
        throw new DomainError('method_not_allowed', `This path takes ${allow.join(', ')}`, { allow });
      },
    });
  }
};

export const addRoutes = <S>(app: FastifyInstance, routes: Route<S>[]): void => {
  const byAddress = Map.groupBy(routes, ({ operation }) => `${operation.method} ${operation.path}`);
  for (const shapes of byAddress.values()) shapes.length === 1 ? addRoute(app, shapes[0]!) : addShapes(app, shapes);
  addMethodNotAllowed(
    app,
    routes.map((one) => one.operation),
  );
};
