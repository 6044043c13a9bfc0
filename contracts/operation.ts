import type { Static, TObject, TSchema } from 'typebox';
import type { RateLimitClass } from './rate-limit.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The agreement between client and server. Routes, OpenAPI documents, typed clients and response checks are derived
 * from it.
 */
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
  /** Needs no active license, because it changes nothing. */
  readonly reads?: true;
  /** The OAuth scopes a token needs. Required on every surface that accepts OAuth tokens. */
  readonly scopes?: readonly Scope[];
  readonly rateLimit?: RateLimitClass;
  /**
   * Each call is logged with its caller: operations that change settings, members, credentials or money, or that return
   * credentials.
   */
  readonly audit?: boolean;
  /**
   * Tells apart operations with the same method and path: a request that matches these schemas is for this operation,
   * any other is for the one without. Evaluated before validation and coercion.
   */
  readonly when?: Readonly<{ params?: TObject; query?: TObject; body?: TObject }>;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Takes one file as `multipart/form-data` instead of a body. */
  readonly upload?: boolean;
  /** Success responses by status; `null` means no body. The first is the default. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** Returns the bytes of a file; the content type varies. */
  readonly download?: boolean;
  /** Error statuses in addition to those of the surface. */
  readonly errors?: readonly number[];
}

/** The fields that an operation needs to be available over a socket. */
export type SocketOperation = Pick<
  Operation,
  'name' | 'summary' | 'reads' | 'scopes' | 'rateLimit' | 'query' | 'body' | 'responses'
>;

/** The API of one audience. */
export interface SurfaceContract {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly error: TSchema;
  /** Error statuses that any operation of the surface may return. */
  readonly errors: readonly number[];
  readonly security: Readonly<Record<string, SecurityScheme>>;
}

export type SecurityScheme = { type: 'http'; scheme: 'bearer' | 'basic'; description?: string };

/** Preserves literal types for handlers and clients. */
export const defineOperation = <const O extends Operation>(operation: O): O => operation;

type StaticOr<S, Fallback> = S extends TSchema ? Static<S> : Fallback;

export type ParamsOf<O extends Operation> = StaticOr<O['params'], Record<string, never>>;
export type QueryOf<O extends Operation> = StaticOr<O['query'], Record<string, never>>;
export type BodyOf<O extends Operation> = StaticOr<O['body'], undefined>;
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a response body returns nothing.
type ResponseBody<S> = S extends TSchema ? Static<S> : void;
export type ResponseOf<O extends Operation> = {
  [K in keyof O['responses']]: ResponseBody<O['responses'][K]>;
}[keyof O['responses']];

/** The default success status. */
export const successStatus = (operation: Pick<Operation, 'responses'>): number =>
  Number(Object.keys(operation.responses)[0]);
