import type { WebSocket } from 'ws';
import { type DisconnectReason, PROTOCOL_VERSION, type PushAction, type RequestFrame } from '#contracts/chat/frames.ts';
import type { Browser } from '#server/domain/access.ts';
import { writePush } from './frames.ts';

type RequestId = RequestFrame['request_id'];

/** One open socket. There may be very many, so it holds no more than this, and no timer or closure of its own. */
export interface Session<Identity = unknown> {
  /** Unique among all processes: what happens because of this socket's requests names it. */
  readonly id: string;
  readonly socket: WebSocket;
  /** The organization that the address names. */
  readonly organizationId: string | undefined;
  readonly ip: string;
  readonly browser: Browser;
  /** The session of the console, where a page of our own opened the socket. */
  readonly cookie: string | undefined;
  /** The push that says why we close the socket. */
  readonly farewell: Extract<PushAction, `${string}_disconnected`>;
  /** Who logged in. */
  identity: Identity | undefined;
  /** The pushes that the login asked for; absent: all. */
  wants: Set<string> | undefined;
  /** Sweeps since the socket opened, counted until somebody logs in. */
  age: number;
  /** Sweeps since the other side was last heard. */
  quiet: number;
  /** Frames since the last sweep. */
  frames: number;
  pending: number;
  /** Requests begin one after the other; absent while there are none. */
  turn: Promise<void> | undefined;
  /** The requests under way that have an id. */
  unanswered: Set<RequestId> | undefined;
  /** The answer to the login is not written yet. */
  welcoming: boolean;
  /** Pushes that must not overtake an answer. */
  held: Held | undefined;
}

interface Held {
  pushes: {
    frame: Buffer;
    /** The request that brought it about. */
    requestId: RequestId;
  }[];
  bytes: number;
  /** When they are sent, the socket is closed. */
  ending?: DisconnectReason;
}

/** A reader that leaves this much unread is cut: it can come back and read on, while our memory cannot. */
const MAX_UNREAD_BYTES = 1024 * 1024;

const AS_TEXT = { binary: false };

/** Whether there is somebody to send to, and room for what waits for him. */
const hasRoom = ({ socket }: Session, bytes: number): boolean => {
  if (socket.readyState !== socket.OPEN) return false;
  if (bytes > MAX_UNREAD_BYTES) socket.terminate();
  return bytes <= MAX_UNREAD_BYTES;
};

/** Bytes that many sockets share are encoded once. Says whether they are on their way. */
export const sendFrame = (session: Session, frame: Buffer): boolean => {
  const { socket } = session;
  if (!hasRoom(session, socket.bufferedAmount)) return false;
  socket.send(frame, AS_TEXT);
  return true;
};

const mustWait = ({ welcoming, unanswered }: Session, requestId: RequestId): boolean =>
  welcoming || (requestId != null && unanswered?.has(requestId) === true);

/**
 * Pushes keep their order, and the one that a request brings about follows its answer: a client that is content with the
 * push may have forgotten the request by then, and an answer to nothing confuses it.
 */
export const pushFrame = (session: Session, frame: Buffer, requestId?: RequestId): boolean => {
  if (!session.held && !mustWait(session, requestId)) return sendFrame(session, frame);
  session.held ??= { pushes: [], bytes: 0 };
  session.held.pushes.push({ frame, requestId });
  session.held.bytes += frame.length;
  if (hasRoom(session, session.held.bytes)) return true;
  session.held = undefined;
  return false;
};

/** An answer was written: sends what waited for it. */
export const releaseHeld = (session: Session): void => {
  const { held } = session;
  for (let next = held?.pushes[0]; next && !mustWait(session, next.requestId); next = held?.pushes[0]) {
    held!.pushes.shift();
    held!.bytes -= next.frame.length;
    sendFrame(session, next.frame);
  }
  if (held?.pushes.length !== 0) return;
  session.held = undefined;
  if (held.ending) session.socket.close(codeOf(held.ending), held.ending);
};

/** Names under our version; a client that names only other versions wants none of ours. */
export const readWants = (subscription: Record<string, string[] | null> | null | undefined): Session['wants'] =>
  subscription ? new Set(subscription[PROTOCOL_VERSION] ?? []) : undefined;

const closeCodes: Partial<Record<DisconnectReason, number>> = {
  service_temporarily_unavailable: 1001,
  internal_error: 1011,
};
const REFUSED = 1008;

const codeOf = (reason: DisconnectReason): number => closeCodes[reason] ?? REFUSED;
const writeFarewell = ({ farewell }: Session, reason: DisconnectReason): Buffer =>
  writePush({ action: farewell, payload: { reason } });

/** Says why, then closes. */
export const dismiss = (session: Session, reason: DisconnectReason, code = codeOf(reason)): void => {
  sendFrame(session, writeFarewell(session, reason));
  session.socket.close(code, reason);
};

/** The same, but whoever asked for it over this very socket gets the answer first. */
export const dismissAnswered = (session: Session, reason: DisconnectReason, requestId: RequestId): void => {
  const isAsked = requestId != null && session.unanswered?.has(requestId);
  if (isAsked && pushFrame(session, writeFarewell(session, reason), requestId)) session.held!.ending = reason;
  else dismiss(session, reason);
};
