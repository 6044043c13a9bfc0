import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseOf, BodyOf, Operation, ParamsOf, QueryOf } from '#contracts/operation.ts';

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

export type Handler<O extends Operation, S> = (call: Call<O, S>) => Promise<ResponseOf<O>> | ResponseOf<O>;

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
  <O extends Operation>(operation: O, handler: (ask: Ask<O, S>) => Promise<ResponseOf<O>> | ResponseOf<O>): Action<S> => ({
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
