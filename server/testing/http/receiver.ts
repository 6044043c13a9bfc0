import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedMessage {
  deliveryId: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  body: any;
}

export type Answer = (response: ServerResponse, message: ReceivedMessage) => void;

export interface Receiver {
  url: string;
  received: ReceivedMessage[];
  /** Sets the response to all further messages. */
  answerWith(answer: Answer): void;
  /** Resolves when this many messages have been received in total. */
  reached(count: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const ok: Answer = (response) => void response.writeHead(200).end('{}');
export const answerStatus =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end();
/** Never responds. */
export const hang: Answer = () => {};

/** Starts a server on a loopback port that receives webhooks. */
export const startReceiver = async (): Promise<Receiver> => {
  const received: ReceivedMessage[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let answer = ok;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const message: ReceivedMessage = {
      deliveryId: String(request.headers['x-parley-delivery']),
      headers: request.headers,
      text,
      body: JSON.parse(text),
    };
    received.push(message);
    answer(response, message);
    for (const check of waiting) check();
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith: (next) => {
      answer = next;
    },
    reached: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
