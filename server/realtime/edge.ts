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
import { dismiss, type Session } from './session.ts';

const MAX_FRAME_BYTES = 64 * 1024;
const SWEEP_MS = 5_000;
/** 30 s to log in, and a ping after 25 s of silence; whoever is silent for as long again is gone. */
const LOGIN_SWEEPS = 7;
const PING_SWEEPS = 5;
const GONE_SWEEPS = 10;
/** Between two sweeps. Requests have limits of their own; this is for frames that cost us without being one. */
const MAX_FRAMES = 1_000;
const GOODBYE_MS = 2_000;

const NOT_TEXT = 1003;

/** An endpoint, as far as an open socket needs it. */
interface Keeper {
  name: string;
  farewell: Session['farewell'];
  receive(session: Session, text: string): void;
  leave(session: Session): void;
  hasEnded(session: Session): DisconnectReason | undefined;
  sweep(): void;
  stop(): void;
}

interface OpenSession extends Session {
  readonly keeper: Keeper;
}

export interface SocketEdge {
  add<I, S>(endpoint: Endpoint<I, S>): void;
  /** Looks after every socket once: pings the quiet, cuts the dead and those who never log in. Runs every five seconds. */
  sweep(): void;
  /** Tells every socket that the server goes away, and waits for them a moment. */
  stop(): Promise<void>;
}

export type WriteError = (url: string, error: DomainError) => ErrorAnswer;

const refuseUpgrade = (socket: Duplex, { status, body }: ErrorAnswer): void => {
  const text = JSON.stringify(body);
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
};

/** Opens, watches and closes WebSockets; what is said over them is the endpoints' matter. */
export const openSocketEdge = (app: FastifyInstance, ctx: Context, writeError: WriteError): SocketEdge => {
  const addressOf = createClientAddress(ctx.config.trustedProxies);
  const endpoints = new Map<string, Keeper>();
  const sessions = new Map<WebSocket, OpenSession>();
  const maxFrames = ctx.config.rateLimits ? MAX_FRAMES : Number.POSITIVE_INFINITY;
  let stopping = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });

  // One function for all sockets, which comes as `this`.
  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    const session = sessions.get(this)!;
    // Whoever is told to go may still send for a while.
    if (this.readyState !== this.OPEN) return;
    session.quiet = 0;
    if (++session.frames > maxFrames) this.terminate();
    else if (isBinary) dismiss(session, 'connection_evicted', NOT_TEXT);
    else session.keeper.receive(session, data.toString());
  }
  function onPong(this: WebSocket): void {
    sessions.get(this)!.quiet = 0;
  }
  function onClose(this: WebSocket): void {
    const session = sessions.get(this)!;
    sessions.delete(this);
    ctx.metrics.sockets.dec({ surface: session.keeper.name });
    session.keeper.leave(session);
  }
  const onError = (error: Error): void => ctx.log.debug({ err: error }, 'a socket failed');

  const open = (socket: WebSocket, keeper: Keeper, request: IncomingMessage, organizationId: string | null): void => {
    const ip = addressOf(request);
    sessions.set(socket, {
      id: randomUUID(),
      socket,
      keeper,
      organizationId: organizationId ?? undefined,
      ip,
      browser: readBrowser(request.headers, ip),
      cookie: readSessionHeader(request, ctx.publicUrl()),
      farewell: keeper.farewell,
      identity: undefined,
      wants: undefined,
      age: 0,
      quiet: 0,
      frames: 0,
      pending: 0,
      turn: undefined,
      unanswered: undefined,
      welcoming: false,
      held: undefined,
    });
    ctx.metrics.sockets.inc({ surface: keeper.name });
    socket.on('message', onMessage).on('pong', onPong).on('ping', onPong).on('close', onClose).on('error', onError);
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', onError);
    const url = versionedUrl(request);
    const address = URL.parse(url, 'http://socket');
    const keeper = endpoints.get(address?.pathname.replace(/\/$/, '') ?? '');
    const refuse = (error: DomainError): void => refuseUpgrade(socket, writeError(url, error));
    if (stopping || ctx.stopping) refuse(new DomainError('unavailable', 'The server is going away'));
    else if (!address || !keeper) refuse(new DomainError('not_found', 'There is no socket at this address'));
    else {
      server.handleUpgrade(request, socket, head, (opened) => {
        socket.off('error', onError);
        open(opened, keeper, request, address.searchParams.get('organization_id'));
      });
    }
  };

  const sweep = (): void => {
    for (const keeper of endpoints.values()) keeper.sweep();
    for (const session of sessions.values()) {
      const { socket, identity } = session;
      const reason = session.keeper.hasEnded(session);
      session.quiet++;
      session.frames = 0;
      if (identity === undefined && ++session.age >= LOGIN_SWEEPS) dismiss(session, 'connection_timeout');
      else if (reason) dismiss(session, reason);
      else if (session.quiet >= GONE_SWEEPS) socket.terminate();
      else if (session.quiet === PING_SWEEPS && socket.readyState === socket.OPEN) socket.ping();
    }
  };

  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.server.on('upgrade', upgrade);

  return {
    add: <I, S>(endpoint: Endpoint<I, S>) => {
      const receive = createRequests(endpoint, prepareActions(endpoint.actions, app.checkResponses), app.log);
      endpoints.set(endpoint.path, {
        name: endpoint.name,
        farewell: endpoint.farewell,
        receive: receive as Keeper['receive'],
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
      for (const keeper of endpoints.values()) keeper.stop();
      const { promise: allClosed, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(resolve, GOODBYE_MS);
      let open = sessions.size;
      if (open === 0) resolve();
      for (const session of sessions.values()) {
        session.socket.on('close', () => --open === 0 && resolve());
        dismiss(session, 'service_temporarily_unavailable');
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
