import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, Operation, ParamsOf, QueryOf, ResponseOf } from '#contracts/operation.ts';

/** The input of an operation, over HTTP or over a socket. */
export interface ActionCall<O extends Operation, S> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  /** The caller and the data it may access. */
  scope: S;
}

export interface Call<O extends Operation, S> extends ActionCall<O, S> {
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<O extends Operation, S> = (call: Call<O, S>) => Promise<ResponseOf<O>> | ResponseOf<O>;

/** A handler bound to its operation. The index files of the surfaces list these. */
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

/** A route that does not use HTTP, so that it is also available over a socket. Calls over sockets are not audited. */
export interface Action<S> extends Route<S> {
  handle: (call: ActionCall<Operation, S>) => unknown;
}

export const action =
  <S>() =>
  <O extends Operation & { readonly audit?: false }>(
    operation: O,
    handler: (call: ActionCall<O, S>) => Promise<ResponseOf<O>> | ResponseOf<O>,
  ): Action<S> => ({
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
    /** In tests, every response is checked against its contract. */
    checkResponses: boolean;
    /** Surfaces that browsers call from other origins handle OPTIONS themselves. */
    answersPreflight: boolean;
  }
}
