import type { Static, TObject, TSchema } from 'typebox';
import type { RateLimitClass } from './rate-limit.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a client and the server agree on. Routes, OpenAPI documents, typed clients and response checks all come from it. */
export interface Operation {
  /** Unique within its surface; the operationId of the OpenAPI document. */
  readonly name: string;
  readonly method: Method;
  /** Path parameters are written `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Callable without a credential. */
  readonly public?: boolean;
  /** Changes nothing, so that it is served even when the license has ended. */
  readonly reads?: true;
  /** The OAuth scopes that a token needs. Required on every surface that accepts OAuth tokens. */
  readonly scopes?: readonly Scope[];
  readonly rateLimit?: RateLimitClass;
  /**
   * Several operations may share a method and a path; a request that matches these marks means this one, any other means
   * the one without marks. They are read before anything is validated or coerced.
   */
  readonly when?: Readonly<{ params?: TObject; query?: TObject; body?: TObject }>;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Takes one file as `multipart/form-data` instead of a body. */
  readonly upload?: boolean;
  /** Successful answers by status; `null` is an answer without a body. The first one is the usual one. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** Answers with the bytes of a file; which type they have, the answer says. */
  readonly download?: boolean;
  /** The statuses this operation may fail with, beyond the ones every operation of the surface has. */
  readonly errors?: readonly number[];
}

/** What can be asked over a socket; an operation has all of it. */
export type SocketOperation = Pick<
  Operation,
  'name' | 'summary' | 'reads' | 'scopes' | 'rateLimit' | 'query' | 'body' | 'responses'
>;

/** Everything one audience can call, in one dialect. */
export interface SurfaceContract {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly error: TSchema;
  /** Failures any operation of the surface may answer with. */
  readonly errors: readonly number[];
  readonly security: Readonly<Record<string, SecurityScheme>>;
}

export type SecurityScheme = { type: 'http'; scheme: 'bearer' | 'basic'; description?: string };

/** Keeps the literal types, so that handlers and clients know each field. */
export const defineOperation = <const O extends Operation>(operation: O): O => operation;

type StaticOr<S, Fallback> = S extends TSchema ? Static<S> : Fallback;

export type ParamsOf<O extends Operation> = StaticOr<O['params'], Record<string, never>>;
export type QueryOf<O extends Operation> = StaticOr<O['query'], Record<string, never>>;
export type BodyOf<O extends Operation> = StaticOr<O['body'], undefined>;
// biome-ignore lint/suspicious/noConfusingVoidType: whoever answers without a body returns nothing.
type ResponseOf<S> = S extends TSchema ? Static<S> : void;
export type AnswerOf<O extends Operation> = {
  [K in keyof O['responses']]: ResponseOf<O['responses'][K]>;
}[keyof O['responses']];

/** The status of the usual success. */
export const successStatus = (operation: Pick<Operation, 'responses'>): number =>
  Number(Object.keys(operation.responses)[0]);
