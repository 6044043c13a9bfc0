import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { DisconnectReason } from '#contracts/chat/frames.ts';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { readBrowser } from '#server/http/browser.ts';
import { createClientAddress } from '#server/http/client-address.ts';
import { readSessionHeader } from '#server/http/session-cookie.ts';
import type { ErrorAnswer } from '#server/http/surface.ts';
import { versionedUrl } from '#server/http/versions.ts';
import { prepareActions } from './actions.ts';
import type { Endpoint } from './endpoint.ts';
import { createRequests } from './requests.ts';
import { disconnect, type Session } from './session.ts';
import { createWaitingSockets } from './waiting-sockets.ts';

const MAX_FRAME_BYTES = 64 * 1024;
const SWEEP_MS = 5_000;
/** 30 s to log in, a ping after 25 s of silence, and a disconnect after 50 s. */
const LOGIN_SWEEPS = 7;
const PING_SWEEPS = 5;
const DEAD_SWEEPS = 10;
/** Frames between two sweeps. Requests have their own limits; this covers other frames. */
const MAX_FRAMES = 1_000;
const SHUTDOWN_TIMEOUT_MS = 2_000;

const NOT_TEXT = 1003;

/** The part of an endpoint that an open socket needs. */
interface EndpointHandler {
  name: string;
  disconnectPush: Session['disconnectPush'];
  receive(session: Session, text: string): void;
  leave(session: Session): void;
  hasEnded(session: Session): DisconnectReason | undefined;
  sweep(): void;
  stop(): void;
}

interface OpenSession extends Session {
  readonly handler: EndpointHandler;
}

export interface SocketEdge {
  add<I, S>(endpoint: Endpoint<I, S>): void;
  /**
   * Checks every socket: pings silent ones and closes dead ones and those that never log in. Runs every five seconds.
   */
  sweep(): void;
  /** Disconnects all sockets and waits briefly for them to close. */
  stop(): Promise<void>;
}

export type WriteError = (url: string, error: DomainError) => ErrorAnswer;

const refuseUpgrade = (socket: Duplex, { status, body }: ErrorAnswer, retryAfterSeconds?: number): void => {
  const text = JSON.stringify(body);
  const retry = retryAfterSeconds === undefined ? '' : `Retry-After: ${Math.ceil(retryAfterSeconds)}\r\n`;
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `${retry}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
};

/** Opens, monitors and closes WebSockets; endpoints handle the messages. */
export const openSocketEdge = (app: FastifyInstance, ctx: Context, writeError: WriteError): SocketEdge => {
  const addressOf = createClientAddress(ctx.config.trustedProxies);
  const endpoints = new Map<string, EndpointHandler>();
  const sessions = new Map<WebSocket, OpenSession>();
  const maxFrames = ctx.config.rateLimits ? MAX_FRAMES : Number.POSITIVE_INFINITY;
  const waiting = createWaitingSockets(ctx.config.rateLimits);
  let stopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });

  // Shared by all sockets to save memory; the socket is `this`.
  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    const session = sessions.get(this)!;
    // A socket that is being closed may still receive frames.
    if (this.readyState !== this.OPEN) return;
    session.silentSweeps = 0;
    if (++session.frames > maxFrames) this.terminate();
    else if (isBinary) disconnect(session, 'connection_evicted', NOT_TEXT);
    else session.handler.receive(session, data.toString());
  }
  function onPong(this: WebSocket): void {
    sessions.get(this)!.silentSweeps = 0;
  }
  function onClose(this: WebSocket): void {
    const session = sessions.get(this)!;
    sessions.delete(this);
    waiting.remove(session);
    ctx.metrics.sockets.dec({ surface: session.handler.name });
    session.handler.leave(session);
  }
  const onError = (error: Error): void => ctx.log.debug({ err: error }, 'socket error');

  const open = (
    socket: WebSocket,
    handler: EndpointHandler,
    request: IncomingMessage,
    organizationId: string | null,
  ): void => {
    const ip = addressOf(request);
    const session: OpenSession = {
      id: randomUUID(),
      socket,
      handler,
      organizationId: organizationId ?? undefined,
      ip,
      browser: readBrowser(request.headers, ip),
      cookie: readSessionHeader(request, ctx.publicUrl()),
      disconnectPush: handler.disconnectPush,
      identity: undefined,
      subscription: undefined,
      loginSweeps: 0,
      silentSweeps: 0,
      frames: 0,
      pending: 0,
      lastRequest: undefined,
      unanswered: undefined,
      isLoggingIn: false,
      heldPushes: undefined,
    };
    sessions.set(socket, session);
    waiting.add(session);
    ctx.metrics.sockets.inc({ surface: handler.name });
    socket.on('message', onMessage).on('pong', onPong).on('ping', onPong).on('close', onClose).on('error', onError);
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', onError);
    const url = versionedUrl(request);
    const address = URL.parse(url, 'http://socket');
    const handler = endpoints.get(address?.pathname.replace(/\/$/, '') ?? '');
    const refuse = (error: DomainError): void =>
      refuseUpgrade(socket, writeError(url, error), error.details.retryAfterSeconds);
    if (stopping || ctx.stopping) refuse(new DomainError('unavailable', 'The server is shutting down'));
    else if (!address || !handler) refuse(new DomainError('not_found', 'No WebSocket endpoint at this path'));
    else if (waiting.isFull(addressOf(request)))
      refuse(
        new DomainError('too_many_requests', 'Too many sockets without a login', {
          retryAfterSeconds: SWEEP_MS / 1000,
        }),
      );
    else {
      server.handleUpgrade(request, socket, head, (opened) => {
        socket.off('error', onError);
        open(opened, handler, request, address.searchParams.get('organization_id'));
      });
    }
  };

  const sweep = (): void => {
    for (const handler of endpoints.values()) handler.sweep();
    for (const session of sessions.values()) {
      const { socket, identity } = session;
      const reason = session.handler.hasEnded(session);
      session.silentSweeps++;
      session.frames = 0;
      if (identity === undefined && ++session.loginSweeps >= LOGIN_SWEEPS) disconnect(session, 'connection_timeout');
      else if (reason) disconnect(session, reason);
      else if (session.silentSweeps >= DEAD_SWEEPS) socket.terminate();
      else if (session.silentSweeps === PING_SWEEPS && socket.readyState === socket.OPEN) socket.ping();
    }
  };

  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.server.on('upgrade', upgrade);

  return {
    add: <I, S>(endpoint: Endpoint<I, S>) => {
      const receive = createRequests(endpoint, prepareActions(endpoint.actions, app.checkResponses), app.log);
      endpoints.set(endpoint.path, {
        name: endpoint.name,
        disconnectPush: endpoint.disconnectPush,
        receive: receive as EndpointHandler['receive'],
        leave: (session) => endpoint.leave(session as Session<I>),
        sweep: () => endpoint.sweep?.(),
        stop: () => endpoint.stop?.(),
        hasEnded: ({ identity }) => (identity === undefined ? undefined : endpoint.hasEnded?.(identity as I)),
      });
    },
    sweep,
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      for (const handler of endpoints.values()) handler.stop();
      const { promise: allClosed, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS);
      let open = sessions.size;
      if (open === 0) resolve();
      for (const session of sessions.values()) {
        session.socket.on('close', () => --open === 0 && resolve());
        disconnect(session, 'service_temporarily_unavailable');
      }
      await allClosed;
      clearTimeout(late);
      for (const socket of sessions.keys()) socket.terminate();
    },
  };
};

declare module 'fastify' {
  interface FastifyInstance {
    sockets: SocketEdge;
  }
}
