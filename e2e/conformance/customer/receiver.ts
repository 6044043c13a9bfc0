import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './call.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body, needed to verify the signature. */
  text: string;
  body: Json;
}

/** Returns received requests in order and waits for them if necessary. */
export const startReceiver = async () => {
  const arrived: Received[] = [];
  const waiting: ((one: Received) => void)[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const received = { path: request.url!, headers: request.headers, text, body: JSON.parse(text) };
    const taker = waiting.shift();
    if (taker) taker(received);
    else arrived.push(received);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (): Promise<Received> =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()!) : new Promise((resolve) => waiting.push(resolve)),
    unread: () => arrived.map(({ path }) => path),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
