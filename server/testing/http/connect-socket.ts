import { once } from 'node:events';
import WebSocket, { type ClientOptions } from 'ws';
import { FrameError, PushFrame, pushes, ResponseFrame } from '#contracts/chat/frames.ts';
import { compileResponseCheck } from '#server/http/validation.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of payloads.
type Json = any;

export interface SocketClient {
  socket: WebSocket;
  request(action: string, payload?: object, more?: object): Promise<Json>;
  nextResponse(): Promise<Json>;
  /** Returns the next push in order of arrival. */
  nextPush(): Promise<Json>;
  /** The actions of pushes that have arrived and have not been read. */
  unread(): string[];
  /** Resolves with the close code. */
  closed: Promise<number>;
  close(): Promise<unknown>;
}

const isResponse = compileResponseCheck(ResponseFrame);
const isFailure = compileResponseCheck(FrameError);
const isPush = compileResponseCheck(PushFrame);
const isPayload = new Map(Object.entries(pushes).map(([action, schema]) => [action, compileResponseCheck(schema)]));

const findProblem = (frame: Json): string | undefined => {
  if (frame.type === 'push') return isPush(frame) ?? isPayload.get(frame.action)?.(frame.payload);
  return isResponse(frame) ?? (frame.success ? undefined : isFailure(frame.payload));
};

/** A queue of frames whose `take` waits for the next frame. */
const createInbox = () => {
  const arrived: Json[] = [];
  const waiting: ((frame: Json) => void)[] = [];
  return {
    arrived,
    put: (frame: Json): void => {
      const waiter = waiting.shift();
      if (waiter) waiter(frame);
      else arrived.push(frame);
    },
    take: (): Promise<Json> =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve)),
  };
};

/** Opens a socket that checks every received frame against the contract. */
export const connectSocket = async (url: string, options: ClientOptions = {}): Promise<SocketClient> => {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), options);
  const responses = createInbox();
  const pushed = createInbox();
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString());
    const problem = findProblem(frame);
    if (problem) responses.put({ ...frame, success: false, problem });
    else (frame.type === 'push' ? pushed : responses).put(frame);
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  return {
    socket,
    request: (action, payload, more) => {
      socket.send(JSON.stringify({ action, ...(payload ? { payload } : {}), ...more }));
      return responses.take();
    },
    nextResponse: responses.take,
    nextPush: pushed.take,
    unread: () => pushed.arrived.map(({ action }) => action),
    closed,
    close: () => {
      socket.close();
      return closed;
    },
  };
};
