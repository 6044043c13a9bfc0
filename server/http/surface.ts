import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SurfaceContract } from '#contracts/operation.ts';
import type { Context } from '#server/context.ts';
import type { DomainError } from '#server/domain/errors.ts';
import { addRoutes } from './add-routes.ts';
import { useBodies } from './body.ts';
import type { Route } from './route.ts';
import { toDomainError } from './to-domain-error.ts';
import { type BodyFormat, compileResponseCheck, useValidation } from './validation.ts';

export interface ErrorAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** One API: its contract, its authentication and its error format. */
export interface Surface {
  contract: SurfaceContract;
  /** Whether a URL without a route belongs to this surface, so that the 404 has its error format. */
  owns(path: string): boolean;
  writeError(error: DomainError): ErrorAnswer;
  register(app: FastifyInstance, ctx: Context): void;
}

export const sendError = (answer: ErrorAnswer, error: DomainError, reply: FastifyReply): FastifyReply => {
  const { retryAfterSeconds, allow } = error.details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  if (allow) reply.header('allow', allow.join(', '));
  return reply
    .headers(answer.headers ?? {})
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer.body));
};

export const logFailure = (error: DomainError, request: FastifyRequest): void => {
  if (error.code === 'internal') request.log.error({ err: error.cause ?? error }, 'request failed');
  else if (['unavailable', 'timeout', 'storage_full'].includes(error.code))
    request.log.warn({ err: error.cause ?? error }, error.message);
};

const measure = (app: FastifyInstance, ctx: Context, surface: string): void => {
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.name ?? 'none';
    ctx.metrics.requests.observe({ surface, operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
};

export interface ScopeOptions<S> {
  bodies: BodyFormat;
  /** Turns a credential into a scope before the body is read. Not called for public operations. */
  authenticate(request: FastifyRequest): Promise<S> | S;
  /** Creates the scope for public operations; without it they have none. */
  openScope?(request: FastifyRequest): Promise<S> | S;
  routes: Route<S>[];
}

/** Fails at start if an operation has no handler or a handler's operation is missing from the contract. */
export const assertComplete = (
  { name, operations }: Pick<SurfaceContract, 'name' | 'operations'>,
  routes: Pick<Route<never>, 'operation'>[],
): void => {
  const listed = new Set(operations.map((operation) => operation.name));
  const handled = new Set(routes.map(({ operation }) => operation.name));
  const problems = [
    ...[...listed].filter((one) => !handled.has(one)).map((operation) => `${operation} has no handler`),
    ...[...handled].filter((one) => !listed.has(one)).map((operation) => `${operation} is not in the contract`),
  ];
  if (problems.length > 0) throw new Error(`The ${name} API is incomplete: ${problems.join(', ')}`);
};

/** Registers a surface in its own Fastify scope, so that its hooks and parsers do not affect others. */
export const openSurface = <S>(
  app: FastifyInstance,
  ctx: Context,
  surface: Surface,
  options: ScopeOptions<S>,
): void => {
  assertComplete(surface.contract, options.routes);
  useBodies(app, options.bodies);
  useValidation(app, options.bodies);
  measure(app, ctx, surface.contract.name);
  const checkError = compileResponseCheck(surface.contract.error);
  app.setErrorHandler((thrown, request, reply) => {
    const error = toDomainError(thrown);
    logFailure(error, request);
    const answer = surface.writeError(error);
    const violation = app.checkResponses ? checkError(answer.body) : undefined;
    if (violation) throw new Error(`An error response of ${surface.contract.name} violates its contract: ${violation}`);
    return sendError(answer, error, reply);
  });
  app.addHook('onRequest', async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation)
      request.scope = await (operation.public ? options.openScope?.(request) : options.authenticate(request));
  });
  addRoutes(app, options.routes);
};
