import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Context } from './context.ts';
import { DomainError } from './domain/errors.ts';
import { respondEarly } from './http/early-response.ts';
import { addHealth } from './http/health.ts';
import { isInvalidQuery, readQuery } from './http/query.ts';
import { assertHttps } from './http/require-https.ts';
import { API_HEADERS } from './http/security-headers.ts';
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
const CHECK_SLOW_SENDERS_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;

export interface HttpOptions {
  /** Tests hold every answer against its contract. */
  checkResponses?: boolean;
}

const refuse = (error: DomainError, request: FastifyRequest, reply: FastifyReply) =>
  sendError(surfaceOf(request.url).writeError(error), error, reply);

/** Safety that holds for every surface alike. */
const addGuards = (app: FastifyInstance, { config }: Context): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(API_HEADERS);
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
    request.log[level]({ status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
};

/** Other upgrades are offers that a server may pass over: some HTTP clients propose HTTP/2 with every request. */
const asksForSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** The application without the process: tests inject into it, `main.ts` lets it listen. */
export const createHttp = async (ctx: Context, options: HttpOptions = {}): Promise<FastifyInstance> => {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_SLOW_SENDERS_MS,
      shouldUpgradeCallback: asksForSocket,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300, querystringParser: readQuery },
    rewriteUrl: versionedUrl,
    frameworkErrors: (_, request, reply) =>
      refuse(new DomainError('validation', 'The URL is not valid'), request, reply),
  }) as unknown as FastifyInstance;
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
    // A short link reads no body and shows nothing of anybody: it does without what stands before all else.
    const redirect = createRedirect(ctx);
    await app.register(async (scope) => addShortLinks(scope, ctx, redirect));
    respondEarly(app.server, createFastRedirect(ctx, redirect));
  }
  await app.register(async (guarded) => addGuarded(guarded, ctx, isWeb));
  return app;
};

/** All that the guards stand before. */
const addGuarded = async (app: FastifyInstance, ctx: Context, isWeb: boolean): Promise<void> => {
  await app.register(cookie);
  addGuards(app, ctx);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (ctx.stopping) reply.header('connection', 'close');
    done();
  });
  // The guards also stand before addresses that no surface has registered.
  app.setErrorHandler((thrown, request, reply) => {
    const error = toDomainError(thrown);
    logFailure(error, request);
    return refuse(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => refuse(new DomainError('not_found', 'Path not found'), request, reply));
  await app.register(async (scope) => addHealth(scope, ctx));
  // A process that only works in the background still tells how it is.
  if (!isWeb) return;
  for (const surface of surfaces) await app.register(async (scope) => surface.register(scope, ctx));
  const contracts = surfaces.map(({ contract }) => contract);
  await app.register(async (scope) => addSite(scope, ctx, contracts));
};
