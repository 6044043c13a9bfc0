import { once } from 'node:events';
import WebSocket from 'ws';
import type { Json } from './call.ts';

/** A minimal client that returns frames in order. */
export const openSocket = async (url: string) => {
  const socket = new WebSocket(url);
  const arrived: Json[] = [];
  const waiting: ((frame: Json) => void)[] = [];
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    const taker = waiting.shift();
    if (taker) taker(frame);
    else arrived.push(frame);
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  const next = (): Promise<Json> =>
    arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve));
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  return {
    send,
    next,
    /** The response; earlier pushes are skipped. */
    request: async (action: string, payload?: object, more: object = {}): Promise<Json> => {
      const request_id = crypto.randomUUID();
      const frame = { request_id, action, ...(payload ? { payload } : {}), ...more };
      send(frame);
      for (;;) {
        const response = await next();
        if (response.type === 'response' && response.request_id === frame.request_id) return response;
      }
    },
    closed,
    close: () => socket.close(),
  };
};
