import type { WebSocket } from 'ws';
import { type DisconnectReason, PROTOCOL_VERSION, type PushAction, type RequestFrame } from '#contracts/chat/frames.ts';
import type { Browser } from '#server/domain/access.ts';
import { writePush } from './frames.ts';

type RequestId = RequestFrame['request_id'];

/** One open socket. There may be very many, so a session has no timers or closures. */
export interface Session<Identity = unknown> {
  /** Unique among all processes; events caused by this socket refer to it. */
  readonly id: string;
  readonly socket: WebSocket;
  /** The organization in the URL. */
  readonly organizationId: string | undefined;
  readonly ip: string;
  readonly browser: Browser;
  /** The console session, if our own page opened the socket. */
  readonly cookie: string | undefined;
  /** The push that tells the client why the socket is closed. */
  readonly disconnectPush: Extract<PushAction, `${string}_disconnected`>;
  identity: Identity | undefined;
  /** The pushes selected by the login; absent: all. */
  subscription: Set<string> | undefined;
  /** Sweeps since the socket opened, counted until the login. */
  loginSweeps: number;
  /** Sweeps since the client was last heard. */
  silentSweeps: number;
  /** Frames since the last sweep. */
  frames: number;
  pending: number;
  /** Settles when the last request has started; absent while there are none. */
  lastRequest: Promise<void> | undefined;
  /** Running requests that have an id. */
  unanswered: Set<RequestId> | undefined;
  /** Whether the login is not answered yet. */
  isLoggingIn: boolean;
  /** Pushes that must be sent after an answer. */
  heldPushes: HeldPushes | undefined;
}

interface HeldPushes {
  pushes: {
    frame: Buffer;
    /** The request that caused it. */
    requestId: RequestId;
  }[];
  bytes: number;
  /** The socket is closed with this reason after they are sent. */
  ending?: DisconnectReason;
}

/** A client with this much unread data is disconnected: it can reconnect and catch up, while memory is limited. */
const MAX_UNREAD_BYTES = 1024 * 1024;

const AS_TEXT = { binary: false };

/** Whether the socket is open and has room for this many bytes. */
const hasRoom = ({ socket }: Session, bytes: number): boolean => {
  if (socket.readyState !== socket.OPEN) return false;
  if (bytes > MAX_UNREAD_BYTES) socket.terminate();
  return bytes <= MAX_UNREAD_BYTES;
};

/** Sends a serialized frame. Returns whether it was sent. */
export const sendFrame = (session: Session, frame: Buffer): boolean => {
  const { socket } = session;
  if (!hasRoom(session, socket.bufferedAmount)) return false;
  socket.send(frame, AS_TEXT);
  return true;
};

const mustWait = ({ isLoggingIn, unanswered }: Session, requestId: RequestId): boolean =>
  isLoggingIn || (requestId != null && unanswered?.has(requestId) === true);

/**
 * Pushes keep their order, and those caused by a request follow its answer: a client may forget a request once it gets
 * the push, and a later answer would confuse it.
 */
export const pushFrame = (session: Session, frame: Buffer, requestId?: RequestId): boolean => {
  if (!session.heldPushes && !mustWait(session, requestId)) return sendFrame(session, frame);
  session.heldPushes ??= { pushes: [], bytes: 0 };
  session.heldPushes.pushes.push({ frame, requestId });
  session.heldPushes.bytes += frame.length;
  if (hasRoom(session, session.heldPushes.bytes)) return true;
  session.heldPushes = undefined;
  return false;
};

/** Sends held pushes after an answer was written. */
export const releaseHeldPushes = (session: Session): void => {
  const { heldPushes } = session;
  for (let next = heldPushes?.pushes[0]; next && !mustWait(session, next.requestId); next = heldPushes?.pushes[0]) {
    heldPushes!.pushes.shift();
    heldPushes!.bytes -= next.frame.length;
    sendFrame(session, next.frame);
  }
  if (heldPushes?.pushes.length !== 0) return;
  session.heldPushes = undefined;
  if (heldPushes.ending) session.socket.close(codeOf(heldPushes.ending), heldPushes.ending);
};

/** Push names for our version; a client that lists only other versions gets none. */
export const readSubscription = (
  pushes: Record<string, string[] | null> | null | undefined,
): Session['subscription'] => (pushes ? new Set(pushes[PROTOCOL_VERSION] ?? []) : undefined);

const closeCodes: Partial<Record<DisconnectReason, number>> = {
  service_temporarily_unavailable: 1001,
  internal_error: 1011,
};
const REFUSED = 1008;

const codeOf = (reason: DisconnectReason): number => closeCodes[reason] ?? REFUSED;
const writeDisconnectPush = ({ disconnectPush }: Session, reason: DisconnectReason): Buffer =>
  writePush({ action: disconnectPush, payload: { reason } });

/** Sends the reason, then closes the socket. */
export const disconnect = (session: Session, reason: DisconnectReason, code = codeOf(reason)): void => {
  sendFrame(session, writeDisconnectPush(session, reason));
  session.socket.close(code, reason);
};

/** Like `disconnect`, but a request over this socket that caused it is answered first. */
export const disconnectAfterAnswer = (session: Session, reason: DisconnectReason, requestId: RequestId): void => {
  const isUnanswered = requestId != null && session.unanswered?.has(requestId);
  if (isUnanswered && pushFrame(session, writeDisconnectPush(session, reason), requestId))
    session.heldPushes!.ending = reason;
  else disconnect(session, reason);
};
