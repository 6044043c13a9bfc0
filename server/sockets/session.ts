import type { WebSocket } from 'ws';

/** One open socket. There may be very many, so it holds no more than this, and no timer or closure of its own. */
export interface Session<Identity = unknown> {
  readonly socket: WebSocket;
  /** The organization that the address names. */
  readonly organizationId: string | undefined;
  /** Who logged in. */
  identity: Identity | undefined;
  /** Sweeps since the socket opened, counted until somebody logs in. */
  age: number;
  /** Sweeps since the other side was last heard. */
  quiet: number;
  /** Frames since the last sweep. */
  frames: number;
  pending: number;
  /** Requests begin one after the other; absent while there are none. */
  turn: Promise<void> | undefined;
  /** Pushes that must not overtake the answer to the login. */
  held: Buffer[] | undefined;
}

/** A reader that leaves this much unread is cut: it can come back and read on, while our memory cannot. */
const MOST_UNREAD_BYTES = 1024 * 1024;

const AS_TEXT = { binary: false };

/** Bytes that many sockets share are encoded once. Says whether they are on their way. */
export const sendFrame = ({ socket }: Session, frame: Buffer): boolean => {
  if (socket.readyState !== socket.OPEN) return false;
  if (socket.bufferedAmount > MOST_UNREAD_BYTES) {
    socket.terminate();
    return false;
  }
  socket.send(frame, AS_TEXT);
  return true;
};

export const pushFrame = (session: Session, frame: Buffer): boolean => {
  if (!session.held) return sendFrame(session, frame);
  session.held.push(frame);
  return true;
};

export const releaseHeld = (session: Session): void => {
  const held = session.held ?? [];
  session.held = undefined;
  for (const frame of held) sendFrame(session, frame);
};
