import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Context } from './context.ts';
import { DomainError } from './domain/errors.ts';
import { compileSerializer } from './http/compile-serializer.ts';
import { respondEarly } from './http/early-response.ts';
import { addHealth } from './http/health.ts';
import { isInvalidQuery, readQuery } from './http/query.ts';
import { assertHttps } from './http/require-https.ts';
import { API_HEADERS, HTTPS_HEADERS } from './http/security-headers.ts';
import { checkValue } from './http/strict-json.ts';
import { logFailure, sendError } from './http/surface.ts';
import { toDomainError } from './http/to-domain-error.ts';
import { versionedUrl } from './http/versions.ts';
import { openSocketEdge } from './realtime/edge.ts';
import { surfaceOf, surfaces } from './surfaces/index.ts';
import { addSite } from './surfaces/site/index.ts';
import { createRedirect } from './surfaces/site/short-links/create-redirect.ts';
import { createFastRedirect } from './surfaces/site/short-links/fast-redirect.ts';
import { addShortLinks } from './surfaces/site/short-links/short-link.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Long enough for the largest upload over a slow line. */
const REQUEST_TIMEOUT_MS = 120_000;
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export interface HttpOptions {
  /** Checks every response against its contract; set by tests. */
  checkResponses?: boolean;
}

const replyWithError = (error: DomainError, request: FastifyRequest, reply: FastifyReply) =>
  sendError(surfaceOf(request.url).writeError(error), error, reply);

/** Checks and headers for every surface. */
const addGuards = (app: FastifyInstance, { config, publicUrl }: Context): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(API_HEADERS);
    if (publicUrl().startsWith('https:')) reply.headers(HTTPS_HEADERS);
    reply.header('x-request-id', request.id);
    if (config.requireHttps) assertHttps(request);
    if (isInvalidQuery(request.query)) throw request.query.error;
    const encoding = request.headers['content-encoding'];
    if (encoding && encoding !== 'identity') throw new DomainError('validation', 'Compressed bodies are not accepted');
  });
  app.addHook('preValidation', async (request) => {
    checkValue(request.params);
  });
  app.addHook('onResponse', async (request, reply) => {
    const level = reply.statusCode >= 500 ? 'warn' : 'debug';
    request.log[level]({ status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request answered');
  });
};

/** Other upgrade requests may be ignored: some HTTP clients propose HTTP/2 with every request. */
const isWebSocketRequest = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Creates the application without listening: tests inject requests, `server.ts` listens on a port. */
export const createHttp = async (ctx: Context, options: HttpOptions = {}): Promise<FastifyInstance> => {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      shouldUpgradeCallback: isWebSocketRequest,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300, querystringParser: readQuery },
    rewriteUrl: versionedUrl,
    frameworkErrors: (_, request, reply) =>
      replyWithError(new DomainError('validation', 'The URL is not valid'), request, reply),
  }) as unknown as FastifyInstance;
  app.setSerializerCompiler(compileSerializer);
  app.decorate('checkResponses', options.checkResponses ?? false);
  app.decorate('answersPreflight', false);
  app.decorateRequest('scope', null);
  const isWeb = ctx.config.roles.includes('web');
  if (isWeb) {
    app.decorate(
      'sockets',
      openSocketEdge(app, ctx, (url, error) => surfaceOf(url).writeError(error)),
    );
    app.addHook('preClose', () => app.sockets.stop());
    // Short links read no body and return no private data, so they skip the checks of the surfaces.
    const redirect = createRedirect(ctx);
    await app.register(async (scope) => addShortLinks(scope, ctx, redirect));
    respondEarly(app.server, createFastRedirect(ctx, redirect));
  }
  await app.register(async (guarded) => addGuarded(guarded, ctx, isWeb));
  return app;
};

/** Everything except short links. */
const addGuarded = async (app: FastifyInstance, ctx: Context, isWeb: boolean): Promise<void> => {
  await app.register(cookie);
  addGuards(app, ctx);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (ctx.stopping) reply.header('connection', 'close');
    done();
  });
  // Set after the guards, so that they also run for URLs without a route.
  app.setErrorHandler((thrown, request, reply) => {
    const error = toDomainError(thrown);
    logFailure(error, request);
    return replyWithError(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) =>
    replyWithError(new DomainError('not_found', 'Path not found'), request, reply),
  );
  await app.register(async (scope) => addHealth(scope, ctx));
  // A background process serves only health checks.
  if (!isWeb) return;
  for (const surface of surfaces) await app.register(async (scope) => surface.register(scope, ctx));
  const contracts = surfaces.map(({ contract }) => contract);
  await app.register(async (scope) => addSite(scope, ctx, contracts));
};
