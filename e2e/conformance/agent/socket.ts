import { once } from 'node:events';
import WebSocket from 'ws';
import type { Json } from '../customer/call.ts';

type Matches = (frame: Json) => boolean;

/** A minimal client that stores every received frame. */
export const openSocket = async (url: string) => {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  const frames: Json[] = [];
  const handedOut = new Set<Json>();
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');

  /** The first matching frame that was not returned before; waits for it if necessary. */
  const next = (matches: Matches): Promise<Json> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = frames.find((frame) => !handedOut.has(frame) && matches(frame));
        if (!found) return;
        waiting.delete(look);
        handedOut.add(found);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  const request = (action: string, payload?: object, more: object = {}): Promise<Json> => {
    const frame = { request_id: crypto.randomUUID(), action, ...(payload ? { payload } : {}), ...more };
    send(frame);
    return next(({ type, request_id }) => type === 'response' && request_id === frame.request_id);
  };

  return {
    socket,
    frames,
    next,
    send,
    request,
    /** The payload of a successful response. */
    ok: async (action: string, payload?: object): Promise<Json> => {
      const response = await request(action, payload);
      if (!response.success) throw new Error(`${action} failed: ${JSON.stringify(response.payload)}`);
      return response.payload;
    },
    push: async (action: string, matches: Matches = () => true): Promise<Json> =>
      (await next((frame) => frame.type === 'push' && frame.action === action && matches(frame.payload))).payload,
    closed,
    close: () => socket.close(),
  };
};

export type Socket = Awaited<ReturnType<typeof openSocket>>;
